/* Tests whether a point x is inside the material of an obstacle. The test depends on the kind of the obstacle:
 *
 *     * The point is inside a half-plane or plane with the normal n and the surface point p if n^T (x - p) < 0.
 *     * The point is inside a disk if its distance from the centre is less than the radius. The point is in the material of a
 *       hollow disk if its distance from the centre is larger than the radius.
 *     * The point is inside a closed, solid chain if a ray from the point to infinity crosses an odd number of its sides. If
 *       the order of the vertices puts the material outside the closed chain, the point is in the material if a ray from the
 *       point to infinity crosses an even number of sides.
 *     * The point is inside a convex solid if the signed distance of collide/distance_solid_space.h is negative.
 *     * The point is inside a closed mesh if the solid angles of all triangles, seen from the point, have the sum 4 pi (Van
 *       Oosterom and Strackee 1983).
 *
 * Open chains and arcs, and meshes that are sheets, have no inside. */
#ifndef CST_WORLD_START_INSIDE_H
#define CST_WORLD_START_INSIDE_H

#include "base/arena.h"
#include "rigid/obstacle.h"

/* The region that the material of an obstacle occupies at a given time. */
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

/* Returns the depth (m) of the point x (3) below the surface of the obstacle; 0 if the point is outside. */
double cst_matter_depth(const cst_matter *matter, const double *x);

#endif
