/* Reading a cache: of a run that has ended, was killed, or is still going on. Nothing is written.
 *
 *     cst_cache *cache = cst_cache_open("fall.run", message, sizeof message);
 *     const cst_cache_info *info = cst_cache_about(cache);
 *     double *error = malloc(info->steps * sizeof *error);
 *     cst_cache_step_column(cache, "error", error);
 *     cst_cache_frame frame;
 *     cst_cache_frame_read(cache, info->frames - 1, &frame);
 *     cst_cache_close(cache);
 *
 * What is seen is the last checkpoint: a run under way may have gone on since. */
#ifndef CST_CACHE_CACHE_READ_H
#define CST_CACHE_CACHE_READ_H

#include "cache/cache_format.h"

typedef struct cst_cache cst_cache;

/* path: the directory of a run, or its cache.h5. NULL with a message "PATH: why". */
cst_cache *cst_cache_open(const char *path, char *message, size_t message_size);
void cst_cache_close(cst_cache *cache); /* NULL is fine */

/* Texts are the cache's own. */
typedef struct cst_cache_info {
    int dim;
    double dt;             /* s: the largest step */
    double frame_interval; /* s */
    double tolerance;      /* the one that residual.error was to meet */
    const char *title, *version, *scene, *source;
    const char *files;               /* that the scene names, with their checksums (cst_scene_files); NULL in formats 1 to 3 */
    int64_t frames, steps, contacts; /* rows; contacts over all frames */
    int bodies, obstacles, constraints;
} cst_cache_info;

const cst_cache_info *cst_cache_about(const cst_cache *cache);

/* "" if it has none. Ids from 1. */
const char *cst_cache_body_name(const cst_cache *cache, uint32_t body);
const char *cst_cache_obstacle_name(const cst_cache *cache, uint32_t obstacle);
const char *cst_cache_constraint_name(const cst_cache *cache, uint32_t constraint);

/* One value per step, as a real number: column "time", "contacts", "iterations", "error", "energy_kinetic", ... of /steps, or
 * "seconds_total", ... of /timings (cst_cache_table_describe lists them). out has room for info->steps. False if there is no such
 * column, or with a damaged file: cst_cache_message says. */
bool cst_cache_step_column(cst_cache *cache, const char *name, double *out);
const char *cst_cache_message(const cst_cache *cache);

typedef struct cst_cache_item {
    cst_item_owner owner;
    uint32_t id;
    cst_drawn_as as;
    bool closed;
    int vertices;
    const cst_vertex_row *vertex;
    int states;
    const double *state;
    int triangles; /* of a mesh */
    const cst_triangle_row *triangle;
} cst_cache_item;

typedef struct cst_cache_frame {
    double time;
    int64_t step;
    int items;
    const cst_cache_item *item;
    int contacts;
    const cst_contact_view *contact;
} cst_cache_frame;

/* Valid until the next frame is read. */
bool cst_cache_frame_read(cst_cache *cache, int64_t index, cst_cache_frame *out);

/* Times of all frames: out has room for info->frames. */
bool cst_cache_frame_times(cst_cache *cache, double *out);

#endif
