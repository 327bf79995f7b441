/* The results of a run, read back: of one that has ended, was killed, or is still going on (docs/cache.md). Nothing is written.
 *
 *     cst_cache *cache = cst_cache_open("fall.run", message, sizeof message);
 *     const cst_cache_info *info = cst_cache_about(cache);
 *     double *error = malloc(info->steps * sizeof *error);
 *     cst_cache_step_column(cache, "error", error);
 *     cst_cache_frame frame;
 *     cst_cache_frame_read(cache, info->frames - 1, &frame);
 *     cst_cache_close(cache);
 *
 * What is seen is the last checkpoint: a run under way may have gone on since. One thread at a time. Not part of the core library: needs
 * HDF5. */
#ifndef CAPSTAN_CACHE_H
#define CAPSTAN_CACHE_H

#include "capstan/capstan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cst_cache cst_cache;

/* path: the directory of a run, or its cache.h5. NULL with a message "PATH: why". */
cst_cache *cst_cache_open(const char *path, char *message, size_t message_size);
void cst_cache_close(cst_cache *cache); /* NULL is fine */

/* How much of a frame is kept: attribute `detail` of the file. Light is for heads of hair. */
typedef enum cst_cache_detail { CST_DETAIL_FULL = 0, CST_DETAIL_LIGHT } cst_cache_detail;

/* Texts are the cache's own. */
typedef struct cst_cache_info {
    int dim;
    cst_cache_detail detail;
    double dt;             /* s: the largest step */
    double frame_interval; /* s */
    double tolerance;      /* the one that residual.error was to meet */
    const char *title, *version, *scene, *source;
    const char *files;               /* that the scene names, with their checksums; NULL in formats 1 to 3 */
    int64_t frames, steps, contacts; /* rows; contacts over all frames */
    int bodies, obstacles, constraints;
} cst_cache_info;

const cst_cache_info *cst_cache_about(const cst_cache *cache);

/* "" if it has none. Ids from 1. */
const char *cst_cache_body_name(const cst_cache *cache, uint32_t body);
const char *cst_cache_obstacle_name(const cst_cache *cache, uint32_t obstacle);
const char *cst_cache_constraint_name(const cst_cache *cache, uint32_t constraint);

/* Why the last call on this cache failed: "PATH: why". */
const char *cst_cache_message(const cst_cache *cache);

/* ----------------------------------------------------------------------------------------------------------------- steps */

/* Names of the columns of steps, from 0: "time", "contacts", "iterations", "error", "energy_kinetic", ..., "seconds_total", ... NULL: there
 * are no more. unit (NULL to skip): "s", "J", "" for a number. */
const char *cst_cache_step_column_name(int index, const char **unit);

/* One value per step, as a real number. out has room for info->steps. False if there is no such column, or with a damaged file:
 * cst_cache_message says. */
bool cst_cache_step_column(cst_cache *cache, const char *name, double *out);

/* ---------------------------------------------------------------------------------------------------------------- frames */

typedef enum cst_item_owner { CST_ITEM_BODY = 0, CST_ITEM_OBSTACLE } cst_item_owner;

typedef struct cst_vertex_row {
    double position[3]; /* m */
    double radius;      /* m */
    double curvature;   /* 1/m */
    double director[3]; /* of a fiber: d1 of its section, which shows the twist; 0 elsewhere */
} cst_vertex_row;

typedef struct cst_triangle_row {
    int32_t corner[3]; /* vertices of its item, from 0 */
} cst_triangle_row;

/* A body or an obstacle in a frame, as it is drawn. Vertices and triangles may be others in each frame. */
typedef struct cst_cache_item {
    cst_item_owner owner;
    uint32_t id; /* of the body or obstacle */
    cst_drawn_as as;
    bool closed;
    int vertices;
    const cst_vertex_row *vertex; /* (vertices) items follow each other in one array */
    int states;
    const double *state; /* (states) bodies: cst_world_body_state */
    int triangles;       /* of a mesh */
    const cst_triangle_row *triangle;
} cst_cache_item;

typedef struct cst_cache_frame {
    double time;  /* s */
    int64_t step; /* accepted steps so far */
    int items;
    const cst_cache_item *item;
    int contacts;
    const cst_contact_view *contact;
} cst_cache_frame;

/* Frame `index` from 0; valid until the next one is read. False: cst_cache_message says why. */
bool cst_cache_frame_read(cst_cache *cache, int64_t index, cst_cache_frame *out);

/* Times (s) of all frames: out has room for info->frames. */
bool cst_cache_frame_times(cst_cache *cache, double *out);

#ifdef __cplusplus
}
#endif
#endif
