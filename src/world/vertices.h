/* The vertices of all bodies as arrays (capstan/state.h): where each body's begin, and room for positions, velocities, frames and radii.
 *
 * Room is taken from an arena that lasts as long as the world and at least doubled when it grows: whoever still looks at an old array looks at
 * old values, never at freed memory, and all arrays together take at most twice what the largest takes. */
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
    uint64_t layout; /* 0: nobody has asked yet */
    cst_vertex_array position, velocity, frame, radius;
    cst_vertex_array force; /* of the caller (world/user_force.h) */
    double force_largest;   /* N */
    uint64_t force_layout;  /* the layout that `force` is for; 0: there is none */
} cst_vertex_store;

/* `first` counts the vertices that bodies have now. False: out of memory, as it was. */
bool cst_vertex_store_count(cst_vertex_store *store, const cst_body_model *body, int bodies, cst_arena *keep);

/* Room for `width` values per vertex. False: out of memory, as it was. */
bool cst_vertex_array_reserve(cst_vertex_array *array, int64_t vertices, int width, cst_arena *keep);

/* Vertices of one body; 0 if its model has none. */
int cst_body_vertices(const cst_body_model *body);

#endif
