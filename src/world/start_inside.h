/* Test whether a point is inside the material of an obstacle:
 *
 *     * Half-plane or plane: n^T (x - p) < 0.
 *     * Disk: |x - c| < R; hollow disk: |x - c| > R.
 *     * Closed, solid chain: a ray from the point to infinity crosses an odd number of sides. If the order of the chain's
 *       points puts the material outside, the ray must cross an even number of sides.
 *     * Convex solid: the signed distance of collide/distance_solid_space.h is negative.
 *     * Closed mesh: the solid angles of its triangles, seen from x, sum up to 4 pi (Van Oosterom and Strackee 1983).
 *
 * Open chains and arcs, and meshes that are sheets, have no inside. */
#ifndef CST_WORLD_START_INSIDE_H
#define CST_WORLD_START_INSIDE_H

#include "base/arena.h"
#include "rigid/obstacle.h"

/* The region that the material of an obstacle fills at one time. */
typedef struct cst_matter {
    cst_obstacle_shape shape;
    bool none;    /* the obstacle has no inside */
    bool outside; /* disk, chain: the material is outside */
    cst_half_plane half_plane;
    double center[2], radius; /* disk */
    double *vertex;           /* chain, mesh: (vertices x 3) */
    int32_t *triangle;        /* mesh: (triangles x 3) */
    int vertices, triangles;
    double low[3], high[3]; /* bounding box of all vertices */
    double rounding;        /* mesh: thickness of the rounding */
    cst_solid solid;        /* convex solids */
} cst_matter;

/* Returns false if memory ran out. */
bool cst_matter_begin(cst_matter *matter, cst_obstacle *obstacle, double time, cst_arena *arena);

/* Returns the depth (m) of the point x (3) below the surface; 0 if the point is outside. */
double cst_matter_depth(const cst_matter *matter, const double *x);

#endif
