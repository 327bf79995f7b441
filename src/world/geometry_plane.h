/* The 2D geometry backend: contact shapes are arcs and half-planes (collide/detect_plane.h). */
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
    /* array (bodies): index of the body's first arc in the list of all arcs; -1: the body is left out of the search */
    int32_t *first_arc_of_body;
    /* array (obstacles): index of each obstacle's first shape; the shapes are numbered with all arcs first, then the half-planes
     * (cst_touch) */
    int32_t *first_shape_of_obstacle;
    cst_owner_box *box;     /* array (owner numbers): bounding boxes */
    int all_arcs;           /* number of arcs, including those of bodies that are left out of the search */
    const cst_touch *touch; /* pairs that the last search found */
    double smallest_radius; /* smallest positive contact radius (m) of all arcs; 0: none */
} cst_plane_geometry;

/* Allocates memory for the contact shapes. Returns NULL if memory ran out. */
void *cst_plane_begin(const cst_geometry_input *input, cst_arena *arena);

/* Places the shapes of the bodies at their present positions, and the shapes of the obstacles at `time`. A body that is far from
 * all other bodies and obstacles is left out of the search. `travel`: as in cst_geometry_class. */
void cst_plane_place(cst_plane_geometry *plane, double time, const double *travel);

/* Places the shapes of all bodies and obstacles, without search margins, even if a body is far from all others. `self`: a
 * cst_plane_geometry. */
void cst_plane_place_all(void *self, double time);

#endif
