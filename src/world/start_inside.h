/* Is a point in the matter of an obstacle?
 *
 *     half-plane, plane    n . (x - p) < 0
 *     disk                 |x - c| < R, hollow: > R
 *     closed, solid chain  an even or odd number of its sides is crossed on the way to infinity; which of the two says its
 * orientation
 *     convex solids        the signed distance of collide/distance_solid_space.h is negative
 *     closed mesh          the solid angles of its triangles, seen from x, sum up to 4 pi (Van Oosterom and Strackee 1983)
 *
 * Chains and arcs that are not closed, and meshes that are sheets, hold no point. */
#ifndef CST_WORLD_START_INSIDE_H
#define CST_WORLD_START_INSIDE_H

#include "base/arena.h"
#include "rigid/obstacle.h"

/* The matter of an obstacle at one time. */
typedef struct cst_matter {
    cst_obstacle_shape shape;
    bool none;    /* it holds no point */
    bool outside; /* disk, chain: matter is outside */
    cst_half_plane half_plane;
    double center[2], radius; /* disk */
    double *vertex;           /* chain, mesh: (vertices x 3) */
    int32_t *triangle;        /* mesh: (triangles x 3) */
    int vertices, triangles;
    double low[3], high[3]; /* around all vertices */
    double rounding;        /* mesh: thick by it */
    cst_solid solid;        /* convex solids */
} cst_matter;

/* False: out of memory. */
bool cst_matter_begin(cst_matter *matter, cst_obstacle *obstacle, double time, cst_arena *arena);

/* How deep (m) the point x (3) lies below the surface; 0: it does not. */
double cst_matter_depth(const cst_matter *matter, const double *x);

#endif
