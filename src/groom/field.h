/* Distance of a point from the obstacles that hair must not penetrate: closed meshes and convex solids at their initial
 * positions.
 *
 * The distance of a point from the obstacles is negative inside an obstacle. The distance is exact at points within `reach` (m)
 * of an obstacle's surface. At a point farther than `reach` from all surfaces, the distance is set to `reach`, even deep inside
 * a mesh. At a point deep inside a convex solid, the distance is negative and exact. For a mesh, the normal at the nearest
 * point gives the sign of the distance. The normal at a corner is the mean over the adjacent triangles, weighted by their
 * angles (Baerentzen and Aanaes 2005).
 *
 * Laying hair needs the distance from the obstacles at millions of points. In most places, an accuracy of 0.1 mm is enough:
 * there, the function cst_groom_distance_about interpolates the distance linearly on a grid. The distance at a grid node is
 * computed when it is first needed. */
#ifndef CST_GROOM_FIELD_H
#define CST_GROOM_FIELD_H

#include <stdint.h>

#include "base/arena.h"
#include "collide/shape_space.h"

/* A closed mesh in world axes, with a layer of the thickness `rounding` around it. The corners of a triangle are
 * counter-clockwise seen from outside. */
typedef struct cst_groom_mesh {
    const double *vertex;    /* array (vertices x 3): m */
    const int32_t *triangle; /* (triangles x 3) */
    int vertices, triangles;
    double rounding; /* m */
} cst_groom_mesh;

typedef struct cst_groom_field cst_groom_field;

/* Makes the distance field of the given meshes and convex solids. Solids of the kind CST_SOLID_MESH are not allowed. The arrays
 * of the meshes and solids must outlive the field. Returns NULL if memory ran out. */
cst_groom_field *cst_groom_field_new(const cst_groom_mesh *mesh, int meshes, const cst_solid *solid, int solids, double reach,
                                     cst_arena *arena);

/* Returns the distance (m) of the point x from the obstacles. `most`: an upper bound (m) of the absolute value of this distance
 * if the caller knows one, otherwise INFINITY. `gradient`: unit vector in the direction in which the distance increases, or
 * zero if the returned distance is `reach` or `most`; NULL is allowed. */
double cst_groom_distance(const cst_groom_field *field, const double x[3], double most, double *gradient);

/* Returns the distance of the point x from the obstacles, interpolated on a grid; `gradient` is not exactly a unit vector. The
 * error of the interpolation is largest at sharp edges, and at most the diagonal of a grid cell, CST_GROOM_GRID_ERROR. */
#define CST_GROOM_GRID_ERROR 0.0052 /* m */
double cst_groom_distance_about(cst_groom_field *field, const double x[3], double *gradient);

/* Returns the distance of the point x from the obstacles, interpolated on a grid, or a lower bound of this distance. The distance
 * at the middle node of a block of grid cells, minus half the diagonal of the block, is a lower bound of the distance at all
 * points of the block. If the lower bound is above `enough`, cst_groom_distance_least returns the lower bound and sets the
 * gradient to zero. */
double cst_groom_distance_least(cst_groom_field *field, const double x[3], double enough, double *gradient);

#endif
