/* How far a point is from what hair must not lie in: closed meshes and convex solids, as they are before the first step.
 *
 * The distance is negative inside, exact within `reach` of a surface and `reach` beyond. Of a mesh, the sign is that of the normal at the
 * nearest point: a face's own, at an edge or a corner the mean over the triangles around, weighted by their angles there (Baerentzen and
 * Aanaes 2005). A second form is read off a grid, linear between nodes that are found when they are first asked for: for points by the
 * million that need no more than a tenth of a millimetre. */
#ifndef CST_GROOM_FIELD_H
#define CST_GROOM_FIELD_H

#include <stdint.h>

#include "base/arena.h"
#include "collide/shape_space.h"

/* A closed mesh in the axes of the world, counter-clockwise seen from outside; thick by `rounding`. */
typedef struct cst_groom_mesh {
    const double *vertex;    /* (vertices x 3) m */
    const int32_t *triangle; /* (triangles x 3) */
    int vertices, triangles;
    double rounding; /* m */
} cst_groom_mesh;

typedef struct cst_groom_field cst_groom_field;

/* solid: (solids) no meshes. All arrays must stay; the field lives in the arena. NULL: out of memory. */
cst_groom_field *cst_groom_field_new(const cst_groom_mesh *mesh, int meshes, const cst_solid *solid, int solids, double reach,
                                     cst_arena *arena);

/* most: m, what is known to be no less than the size of the distance; INFINITY if nothing is. gradient (3): unit, away from the nearest surface; 0
 * beyond reach. NULL to skip. */
double cst_groom_distance(const cst_groom_field *field, const double x[3], double most, double *gradient);

/* The same off the grid; the gradient is not quite unit. It lies between distances at nodes that are no farther than the diagonal of a cell, and
 * no distance changes by more than one goes: so much may it err at most, at sharp edges. */
#define CST_GROOM_GRID_ERROR 0.0052 /* m */
double cst_groom_distance_about(cst_groom_field *field, const double x[3], double *gradient);

/* The same where it may be less than `enough`; elsewhere something between that and the distance, and no gradient: (0, 0, 0). One search for many cells. */
double cst_groom_distance_least(cst_groom_field *field, const double x[3], double enough, double *gradient);

#endif
