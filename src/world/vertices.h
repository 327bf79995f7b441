/* The vertices of all bodies as arrays (capstan/state.h): positions, velocities, frames and radii.
 *
 * The memory of the arrays belongs to an arena that lasts as long as the world. An array that grows gets at least twice its
 * memory, and its old memory is not freed, so an old pointer of the caller never points to freed memory. */
#ifndef CST_WORLD_VERTICES_H
#define CST_WORLD_VERTICES_H

#include "base/arena.h"
#include "body/body.h"

typedef struct cst_vertex_array {
    double *value;
    int64_t room; /* number of doubles */
} cst_vertex_array;

typedef struct cst_vertex_store {
    int64_t *first; /* array (bodies + 1): index of the first vertex of each body */
    int bodies, room;
    uint64_t layout; /* a number that gets a new value whenever the array `first` changes; 0: the array is not computed yet */
    cst_vertex_array position, velocity, frame, radius;
    cst_vertex_array force; /* forces (N) of the caller (world/user_force.h) */
    double force_largest;   /* largest force (N) of the caller */
    uint64_t force_layout;  /* value of the number `layout` when the caller's forces were written; 0: no forces */
} cst_vertex_store;

/* Updates store->first if the number of bodies or of their vertices has changed. If memory ran out, returns false and leaves the
 * arrays unchanged. */
bool cst_vertex_store_count(cst_vertex_store *store, const cst_body_model *body, int bodies, cst_arena *keep);

/* Reserves memory for `width` values per vertex; returns false if memory ran out. */
bool cst_vertex_array_reserve(cst_vertex_array *array, int64_t vertices, int width, cst_arena *keep);

/* Returns the number of vertices of a body; 0 if its model has none. */
int cst_body_vertices(const cst_body_model *body);

#endif
