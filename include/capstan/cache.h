/* Reads the results of a run (docs/cache.md), also of a run that was killed or is still under way. The functions of this header
 * never change the files of the run.
 *
 * The functions of this header return the results up to the last checkpoint and not the steps that a run under way has done since
 * that checkpoint. Only one thread at a time may use a cst_cache (an opened cache). The functions of this header are not part of
 * the core library, because they need HDF5.
 *
 * This example reads the residual of all steps and the last frame of a run:
 *
 *     cst_cache *cache = cst_cache_open("fall.run", message, sizeof message);
 *     const cst_cache_info *info = cst_cache_about(cache);
 *     double *error = malloc(info->steps * sizeof *error);
 *     cst_cache_step_column(cache, "error", error);
 *     cst_cache_frame frame;
 *     cst_cache_frame_read(cache, info->frames - 1, &frame);
 *     cst_cache_close(cache); */
#ifndef CAPSTAN_CACHE_H
#define CAPSTAN_CACHE_H

#include "capstan/capstan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cst_cache cst_cache;

/* Opens the results of a run. `path`: the directory of the run, or the file cache.h5 in it. If the cache cannot be opened,
 * returns NULL and writes a message "PATH: why". */
cst_cache *cst_cache_open(const char *path, char *message, size_t message_size);
void cst_cache_close(cst_cache *cache); /* NULL is fine */

/* Amount of data per frame in the result file cache.h5; CST_DETAIL_LIGHT stores less and is meant for scenes with many hairs. */
typedef enum cst_cache_detail { CST_DETAIL_FULL = 0, CST_DETAIL_LIGHT } cst_cache_detail;

/* The cache owns the texts. */
typedef struct cst_cache_info {
    int dim;
    cst_cache_detail detail;
    double dt;             /* the largest step (s) */
    double frame_interval; /* s */
    double tolerance;      /* bound on residual.error */
    const char *title, *version, *scene, *source;
    const char *files; /* checksums and names of the files that the scene uses; NULL if cache.h5 has file format 1, 2 or 3 */
    int64_t frames, steps, contacts; /* rows; `contacts` counts all frames */
    int bodies, obstacles, constraints;
} cst_cache_info;

const cst_cache_info *cst_cache_about(const cst_cache *cache);

/* The functions cst_cache_..._name return the name of a body, an obstacle or a constraint, or "" if the object has no name. Ids
 * start at 1. */
const char *cst_cache_body_name(const cst_cache *cache, uint32_t body);
const char *cst_cache_obstacle_name(const cst_cache *cache, uint32_t obstacle);
const char *cst_cache_constraint_name(const cst_cache *cache, uint32_t constraint);

/* Returns the error message of the last call that failed on this cache, in the form "PATH: why". */
const char *cst_cache_message(const cst_cache *cache);

/* ----------------------------------------------------------------------------------------------------------------- steps */

/* Returns the name of column `index` (from 0) of the step table: "time", "contacts", "iterations", "error", "energy_kinetic",
 * ..., "seconds_total", ... Returns NULL if the step table has no column `index`. `unit` (may be NULL): set to the unit of the
 * column, such as "s", "m/s" or "J", and to "" for a pure number. */
const char *cst_cache_step_column_name(int index, const char **unit);

/* Writes the values of one column of the step table, one real number per step, to the array `out` of length info->steps. Returns
 * false if the column does not exist or the file is damaged; cst_cache_message then gives the reason. */
bool cst_cache_step_column(cst_cache *cache, const char *name, double *out);

/* ---------------------------------------------------------------------------------------------------------------- frames */

typedef enum cst_item_owner { CST_ITEM_BODY = 0, CST_ITEM_OBSTACLE } cst_item_owner;

typedef struct cst_vertex_row {
    double position[3]; /* m */
    double radius;      /* m */
    double curvature;   /* 1/m */
    /* director d1 of the cross-section at a vertex of a fiber; 0 at a vertex of any other body or of an obstacle, and in a cache
     * with CST_DETAIL_LIGHT */
    double director[3];
} cst_vertex_row;

typedef struct cst_triangle_row {
    int32_t corner[3]; /* vertices of the item, from 0 */
} cst_triangle_row;

/* A body or an obstacle in a saved frame, as vertices and triangles that can be drawn. The numbers of vertices and triangles may
 * differ from frame to frame. */
typedef struct cst_cache_item {
    cst_item_owner owner;
    uint32_t id; /* id of the body or obstacle */
    cst_drawn_as as;
    bool closed;
    int vertices;
    const cst_vertex_row *vertex; /* array (vertices): position, radius, curvature and director of each vertex */
    int states;
    /* array (states): generalised coordinates and velocities of a body (cst_world_body_state); none for an obstacle, and none in
     * a cache with CST_DETAIL_LIGHT */
    const double *state;
    int triangles; /* triangles of a mesh */
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

/* Reads frame `index` (from 0). The arrays of the frame stay valid until the next frame is read or the cache is closed. Returns
 * false on failure; cst_cache_message then gives the reason. */
bool cst_cache_frame_read(cst_cache *cache, int64_t index, cst_cache_frame *out);

/* Writes the times (s) of all frames to the array `out` of length info->frames. */
bool cst_cache_frame_times(cst_cache *cache, double *out);

#ifdef __cplusplus
}
#endif
#endif
