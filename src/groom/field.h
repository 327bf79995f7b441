/* Distance of a point from the obstacles that hair must not penetrate: closed meshes and convex solids, at their initial
 * positions.
 *
 * The distance is negative inside an obstacle, exact within `reach` of a surface, and equal to `reach` farther away. For a mesh,
 * the sign of the distance follows from the normal at the nearest point. The normal at an edge or a corner is the mean over the
 * adjacent triangles, weighted by their angles (Baerentzen and Aanaes 2005). A faster version of the distance computation
 * interpolates linearly on a grid, whose nodes are computed when they are first needed. The interpolated distance is used for
 * millions of points that need an accuracy of only 0.1 mm. */
#ifndef CST_GROOM_FIELD_H
#define CST_GROOM_FIELD_H

#include <stdint.h>

#include "base/arena.h"
#include "collide/shape_space.h"

/* A closed mesh in world axes, whose triangles are counter-clockwise seen from outside; its surface has the thickness `rounding`
 * (m). */
typedef struct cst_groom_mesh {
    const double *vertex;    /* array (vertices x 3): m */
    const int32_t *triangle; /* (triangles x 3) */
    int vertices, triangles;
    double rounding; /* m */
} cst_groom_mesh;

typedef struct cst_groom_field cst_groom_field;

/* `solid`: (solids), without meshes. The arrays of the meshes and solids must outlive the field, which is allocated in the arena.
 * Returns NULL if memory ran out. */
cst_groom_field *cst_groom_field_new(const cst_groom_mesh *mesh, int meshes, const cst_solid *solid, int solids, double reach,
                                     cst_arena *arena);

/* `most`: an upper bound (m) for the absolute value of the distance, if the caller has one, or INFINITY. `gradient`: unit vector
 * away from the nearest surface, or the zero vector if no surface is within `reach`; it is not computed if the argument is
 * NULL. */
double cst_groom_distance(const cst_groom_field *field, const double x[3], double most, double *gradient);

/* Computes the distance like cst_groom_distance, but interpolates it on the grid; the gradient is not exactly a unit vector. The
 * interpolated distance lies between the distances at the nodes of one cell. The nodes of a cell are at most one cell diagonal
 * away from any point in the cell, and the true distances at two points differ by at most the distance between the points. The
 * error of the interpolation is largest at sharp edges, and is smaller than the diagonal of a grid cell, whose length is
 * CST_GROOM_GRID_ERROR. */
#define CST_GROOM_GRID_ERROR 0.0052 /* m */
double cst_groom_distance_about(cst_groom_field *field, const double x[3], double *gradient);

/* A faster version of cst_groom_distance_about for callers that need no distance above `enough`. If the distance is certainly
 * larger than `enough`, the function returns a lower bound for the distance, also larger than `enough`, and sets the gradient to
 * (0, 0, 0). If the distance may be smaller than the limit `enough`, the function returns the interpolated distance of
 * cst_groom_distance_about. One search serves many cells. */
double cst_groom_distance_least(cst_groom_field *field, const double x[3], double enough, double *gradient);

#endif
