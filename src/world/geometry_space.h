/* The geometry backend of space: pieces of centrelines and solids (collide/detect_space.h). Its data, and what its files offer each
 * other. */
#ifndef CST_WORLD_GEOMETRY_SPACE_H
#define CST_WORLD_GEOMETRY_SPACE_H

#include "collide/detect_space.h"
#include "world/features_space.h"

typedef struct cst_space_geometry {
    cst_geometry_input in;
    cst_space_scene scene;
    cst_piece *piece;
    double *margin;
    cst_piece_way *way, *way_from; /* (pieces) */
    cst_solid *solid;
    double *solid_margin;
    cst_solid_way *solid_way, *solid_way_from; /* (solids) */
    int32_t *first_piece;                      /* (owners) of bodies */
    int32_t *solid_of;                         /* (owners) or -1 */
    const cst_touch_space *touch;              /* found last */
    int touches;                               /* of these; those of features count on */
    cst_space_features features;
    double smallest_radius; /* of anything; 0: all is sharp */
} cst_space_geometry;

/* shapes_space.c: memory for the shapes; NULL: out of memory. */
void *cst_space_begin(const cst_geometry_input *input, cst_arena *arena);

/* Bodies as they are placed now, obstacles at `time`. motion NULL, or without `free`: nothing moves. */
void cst_space_place(cst_space_geometry *space, double time, const cst_geometry_motion *motion);

#endif
