/* Where hair grows: places on the triangles of a scalp, spread evenly but without a pattern.
 *
 * Darts are thrown uniformly over the area and kept if no other root is nearer than a separation (Poisson disks); whenever four
 * throws per root have failed the separation shrinks by 5 %. It begins at 0.85 of what the densest packing of as many disks would have,
 * which random disks do not reach, and ends at about 0.7 of it. */
#ifndef CST_GROOM_ROOTS_H
#define CST_GROOM_ROOTS_H

#include "base/arena.h"
#include "base/rng.h"
#include "groom/field.h"

typedef struct cst_root {
    double x[3], normal[3]; /* m, unit outward: linear between those of the corners */
} cst_root;

typedef struct cst_scalp {
    const cst_groom_mesh *mesh;
    bool (*grows)(const void *user, const double x[3]); /* at a place of the mesh, in the axes of the world; NULL: everywhere */
    const void *user;
} cst_scalp;

/* Fills `count` roots; *separation: no two are nearer. False: out of memory, or there is no place where hair grows (*separation 0). */
bool cst_roots_spread(const cst_scalp *scalp, int count, cst_rng *rng, cst_arena *arena, cst_root *root, double *separation);

#endif
