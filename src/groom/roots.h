/* Hair roots: points on the triangles of a scalp, evenly spread but without a pattern.
 *
 * Random points (darts) are drawn uniformly over the area and become roots if no other root is nearer than a given separation
 * (Poisson disk sampling). Whenever the number of rejected points reaches four times the number of requested roots, the
 * separation shrinks by 5 %. Random points cannot be packed as densely as equal disks: the separation begins at 0.85 times the
 * distance that the roots would have as the centres of equal disks in the densest packing, and ends at about 0.7 times this
 * distance. */
#ifndef CST_GROOM_ROOTS_H
#define CST_GROOM_ROOTS_H

#include "base/arena.h"
#include "base/rng.h"
#include "groom/field.h"

typedef struct cst_root {
    double x[3], normal[3]; /* position (m), unit outward normal */
} cst_root;

typedef struct cst_scalp {
    const cst_groom_mesh *mesh;
    /* Function that returns true if hair grows at a point of the mesh, given in world axes; NULL: hair grows everywhere. */
    bool (*grows)(const void *user, const double x[3]);
    const void *user;
} cst_scalp;

/* Writes `count` roots to `root`. `separation` receives a lower bound for the distance between two roots (m). Returns false if
 * memory ran out, or if hair grows nowhere (*separation is then 0). */
bool cst_roots_spread(const cst_scalp *scalp, int count, cst_rng *rng, cst_arena *arena, cst_root *root, double *separation);

#endif
