/* Depth of a point x inside the material of an obstacle. The test whether the point x is inside depends on the kind of obstacle:
 *
 *     * Half-plane or plane with the normal n and the surface point p: the point x is inside if n^T (x - p) < 0.
 *     * Disk: the point x is inside if its distance from the centre is less than the radius of the disk.
 *     * Hollow disk: the point x is inside the material if its distance from the centre is larger than the radius of the disk.
 *     * Closed, solid chain: the point x is inside the chain if a ray from x crosses an odd number of sides. If the order of the
 *       vertices puts the material outside the chain, the point x is in the material if a ray from x crosses an even number of
 *       sides.
 *     * Convex solid: the point x is inside if its signed distance from the solid (collide/distance_solid_space.h) is negative.
 *     * Closed mesh: the point x is inside if the solid angles of all triangles, seen from x, have the sum 4 pi (Van Oosterom and
 *       Strackee 1983).
 *
 * Open chains, arcs and open meshes have no inside. For a chain or a mesh, only points inside its polygon or triangles count as
 * inside, and not the points in the rounded layer around them. */
#ifndef CST_WORLD_START_INSIDE_H
#define CST_WORLD_START_INSIDE_H

#include "base/arena.h"
#include "rigid/obstacle.h"

/* Region that the material of an obstacle occupies at a given time. */
typedef struct cst_matter {
    cst_obstacle_shape shape;
    bool none;    /* the obstacle has no inside */
    bool outside; /* only for a disk or a chain: true if the material is outside the disk or chain */
    cst_half_plane half_plane;
    double center[2], radius; /* disk: centre and radius (m); chain: radius (m) of its rounded sides */
    double *vertex;           /* only for a chain or a mesh: array (vertices x 3) of vertex positions (m) */
    int32_t *triangle;        /* only for a mesh: array (triangles x 3) of vertex indices */
    int vertices, triangles;
    double low[3], high[3]; /* bounding box of all vertices */
    /* only for a mesh: distance (m) by which the obstacle's surface lies outside the triangles */
    double rounding;
    cst_solid solid; /* convex solids only */
} cst_matter;

/* Computes the region that the material of an obstacle occupies at `time`. Returns false if memory ran out. */
bool cst_matter_begin(cst_matter *matter, cst_obstacle *obstacle, double time, cst_arena *arena);

/* Returns the depth (m) of the point x below the surface of the obstacle; 0 if x is outside the material. */
double cst_matter_depth(const cst_matter *matter, const double *x);

#endif
