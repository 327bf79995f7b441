/* The vertices of all bodies as arrays (capstan/state.h): the first vertex of each body, and memory for positions, velocities,
 * frames and radii.
 *
 * Memory comes from an arena that lasts as long as the world, and is at least doubled when it grows. Because arrays are never
 * freed before the world, an old pointer shows old values, never freed memory; all arrays together take at most twice the
 * memory of the largest array. */
#ifndef CST_WORLD_VERTICES_H
#define CST_WORLD_VERTICES_H

#include "base/arena.h"
#include "body/body.h"

typedef struct cst_vertex_array {
    double *value;
    int64_t room; /* doubles */
} cst_vertex_array;

typedef struct cst_vertex_store {
    int64_t *first; /* (bodies + 1) */
    int bodies, room;
    uint64_t layout; /* 0: not used yet */
    cst_vertex_array position, velocity, frame, radius;
    cst_vertex_array force; /* forces of the caller (world/user_force.h) */
    double force_largest;   /* N */
    uint64_t force_layout;  /* vertex layout for which `force` was set; 0: no forces */
} cst_vertex_store;

/* Updates the array `first` to the present numbers of vertices of the bodies. Returns false if memory ran out, and leaves the
 * arrays unchanged in this case. */
bool cst_vertex_store_count(cst_vertex_store *store, const cst_body_model *body, int bodies, cst_arena *keep);

/* Reserves `width` values per vertex. Returns false if memory ran out, and leaves the array unchanged in this case. */
bool cst_vertex_array_reserve(cst_vertex_array *array, int64_t vertices, int width, cst_arena *keep);

/* Returns the number of vertices of a body; 0 if its model has none. */
int cst_body_vertices(const cst_body_model *body);

#endif
