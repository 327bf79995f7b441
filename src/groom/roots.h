/* Hair roots: points on the triangles of a scalp, evenly spread but without a pattern (Poisson disk sampling).
 *
 * Random points are drawn uniformly over the area where hair grows. A random point becomes a root if no other root is nearer
 * than the separation. The separation shrinks by 5 % whenever more points have been rejected since its last change than four
 * times the number of requested roots.
 *
 * The separation begins at 0.85 times the spacing of the same number of roots on a hexagonal lattice, the densest packing.
 * Random points cannot be packed so densely; the separation ends at about 0.7 times the spacing of the hexagonal lattice. */
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
