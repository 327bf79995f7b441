/* The vertices of all bodies as arrays (capstan/state.h): the index of the first vertex of each body, and memory for positions,
 * velocities, frames and radii.
 *
 * The memory of the arrays comes from an arena that lasts as long as the world; an array that grows gets at least twice its
 * memory. An array is never freed before the world, so an old pointer gives old values but never points to freed memory. An
 * array and its older, smaller versions together take at most twice the memory of the array. */
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
    uint64_t force_layout;  /* layout of `force`; 0: no forces */
} cst_vertex_store;

/* Updates store->first, the index of the first vertex of each body, after the number of bodies or of their vertices has
 * changed. If memory ran out, returns false and leaves the arrays unchanged. */
bool cst_vertex_store_count(cst_vertex_store *store, const cst_body_model *body, int bodies, cst_arena *keep);

/* Reserves `width` values per vertex. If memory ran out, returns false and leaves the array unchanged. */
bool cst_vertex_array_reserve(cst_vertex_array *array, int64_t vertices, int width, cst_arena *keep);

/* Returns the number of vertices of a body; 0 if the model of the body has no vertices. */
int cst_body_vertices(const cst_body_model *body);

#endif
