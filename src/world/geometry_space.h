/* The data of the 3D geometry backend, whose contact shapes are centreline elements and solids (collide/detect_space.h), and
 * the functions that its files share. */
#ifndef CST_WORLD_GEOMETRY_SPACE_H
#define CST_WORLD_GEOMETRY_SPACE_H

#include "collide/detect_space.h"
#include "world/features_space.h"

typedef struct cst_space_geometry {
    cst_geometry_input in;
    cst_space_scene scene;
    cst_piece *piece;
    cst_piece_shape *shape; /* (pieces) */
    /* array (pieces): motions of the centreline elements in the step; set by a search at the end of the step */
    cst_piece_move *move;
    double *margin;
    cst_piece_way *way, *way_from; /* (pieces) */
    cst_solid *solid;
    double *solid_margin;
    cst_solid_way *solid_way, *solid_way_from; /* (solids) */
    /* index of the first centreline element of each body, by its owner number (world/contact.h) */
    int32_t *first_piece;
    int32_t *solid_of;            /* index of the solid of each body and obstacle, by owner number; -1: none */
    const cst_touch_space *touch; /* found last */
    int touches;                  /* number of contacts found on centrelines */
    cst_space_features features;
    double smallest_radius; /* smallest positive contact radius (m) of all centreline elements; 0: none */
} cst_space_geometry;

/* Allocates memory for the contact shapes. Returns NULL if memory ran out. */
void *cst_space_begin(const cst_geometry_input *input, cst_arena *arena);

/* Places the shapes of the bodies at their present positions, and the shapes of the obstacles at `time`. If `motion` or
 * motion->free (velocities without contacts) is NULL, the search assumes that nothing moves in this step. */
void cst_space_place(cst_space_geometry *space, double time, const cst_geometry_motion *motion);

#endif
