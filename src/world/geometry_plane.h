/* The 2D geometry backend, whose contact shapes are arcs and half-planes (collide/detect_plane.h). The header geometry_plane.h
 * declares the data of the 2D geometry backend and the functions that the files of this backend share. */
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
    /* array (bodies): index of the body's first arc; -1 if the body is left out of the search */
    int32_t *first_arc_of_body;
    int32_t *first_shape_of_obstacle; /* array (obstacles): numbered as in touches */
    cst_owner_box *box;               /* (owners) */
    int all_arcs;                     /* including those left out */
    const cst_touch *touch;           /* found last */
    double smallest_radius;           /* of all; 0: all are sharp */
} cst_plane_geometry;

/* Allocates memory for the contact shapes. Returns NULL if memory ran out. */
void *cst_plane_begin(const cst_geometry_input *input, cst_arena *arena);

/* Places the shapes of the bodies at their present positions, and the shapes of the obstacles at `time`. Bodies that are far
 * from all other bodies and from all obstacles are left out of the search for contacts. `travel`: as in cst_geometry_class. */
void cst_plane_place(cst_plane_geometry *plane, double time, const double *travel);

/* Places all shapes like cst_plane_place, but without search margins, and includes bodies that are far from all others.
 * `self`: a cst_plane_geometry. */
void cst_plane_place_all(void *self, double time);

#endif
