/* The plane's geometry backend: arcs and half-planes (collide/detect_plane.h). Its data, and what its files offer each other. */
#ifndef CST_WORLD_GEOMETRY_PLANE_H
#define CST_WORLD_GEOMETRY_PLANE_H

#include "world/geometry.h"

typedef struct cst_owner_box {
    double low[2], high[2];
} cst_owner_box;

typedef struct cst_plane_geometry {
    cst_geometry_input in;
    cst_plane_scene scene;
    cst_arc *arc;
    double *margin;
    cst_half_plane *half_plane;
    double *half_plane_margin;
    int32_t *first_arc_of_body;       /* (bodies) or -1: left out, it is far from everything */
    int32_t *first_shape_of_obstacle; /* (obstacles) as numbered in touches */
    cst_owner_box *box;               /* (owners) */
    int all_arcs;                     /* with those left out */
    const cst_touch *touch;           /* found last */
    double smallest_radius;           /* of anything; 0: all is sharp */
} cst_plane_geometry;

/* shapes_plane.c: memory for the shapes; NULL: out of memory. */
void *cst_plane_begin(const cst_geometry_input *input, cst_arena *arena);

/* Bodies as they are placed now, obstacles at `time`, bodies far from everything left out. travel as in cst_geometry_class. */
void cst_plane_place(cst_plane_geometry *plane, double time, const double *travel);

/* The same without margins, and with the bodies that are far from everything. self: a cst_plane_geometry. */
void cst_plane_place_all(void *self, double time);

#endif
