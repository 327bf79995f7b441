/* Hair roots: points on the triangles of a scalp, evenly spread but without a pattern (Poisson disk sampling).
 *
 * Random points are drawn uniformly over the area where hair grows. A random point becomes a root if its distance from all other
 * roots is at least a minimum, the separation. For n requested roots, the separation is reduced by 5 % each time that more than 4
 * n random points have been rejected as too near to a root.
 *
 * The separation of the roots begins at 0.85 times the spacing of the same number of roots on a hexagonal lattice, the densest
 * packing. Random points cannot be packed so densely; the separation ends at about 0.7 times the spacing of the hexagonal
 * lattice. */
#ifndef CST_GROOM_ROOTS_H
#define CST_GROOM_ROOTS_H

#include "base/arena.h"
#include "base/rng.h"
#include "groom/field.h"

typedef struct cst_root {
    double x[3], normal[3]; /* position (m) and unit outward normal of the scalp */
} cst_root;

typedef struct cst_scalp {
    const cst_groom_mesh *mesh;
    /* Function that returns true if hair grows at the point x in world axes. NULL: hair grows everywhere. */
    bool (*grows)(const void *user, const double x[3]);
    const void *user;
} cst_scalp;

/* Writes `count` roots to the array `root`. *separation: lower bound (m) of the distance between two roots. Returns false if
 * memory ran out, or if hair grows nowhere (*separation is then 0). */
bool cst_roots_spread(const cst_scalp *scalp, int count, cst_rng *rng, cst_arena *arena, cst_root *root, double *separation);

#endif
