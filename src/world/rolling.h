/* Rods that turn far in a step, on obstacles: rows linearised at the start of the step know neither how a point goes round nor which one
 * comes nearest next.
 *
 * A step moves a point of a rod by dt J v, but its gap changes by more. The point goes round, by half dt^2 J'(v) v = half dt^2 a (nodes go
 * straight: a = 0 on nodal rods). And another point comes nearest where the rod is bent, by k towards the obstacle's normal e, and turns,
 * by w in the plane of normal and tangent: if the gap has the slope s along the rod, the point at d along it comes to
 * s d + k d^2/2 + dt w d above this one, the lowest of them to -(s + dt w)^2 / (2 k). So the gap closes by
 *
 *     rise = dt^2/2 a . e - (s + dt w)^2 / (2 k)
 *
 * less than dt u_N. Beyond the element k is another: there the rod is asked where it is, and if that is not where k says, to a half, it is not round there, and the
 * rule is not for it: whatever of it comes down has a contact of its own. (A limp ring that is folded to a corner, its element beside the corner hardly bent: the element was to be
 * above the ground with its far end, by a turn that the limp ring does not have, and the corner struck the ground with 2 m/s for it. capstan-bench random, seed 959: 3 J from nothing.) For the
 * lowest point of a ring that rolls the two cancel.
 *
 * An end of an element beside the nearest point, with a gap and a slope that the bend explains, is no contact of such a rod. It comes down
 * while the nearest point goes up, and would push ahead of where the rod touches: a moment that brakes it. It does push as soon as the
 * nearest point is a little too deep, for that comes out by a share of its depth in each step, and what is open must not close at all.
 *
 * A ring that lands with 60 rad/s, dt = 1 ms, rolls away with 0.999 to 1.001 of the right speed (tests/test_world_ring.c): 0.93 to 0.95
 * without the rise, 0.988 with the ends of its 64 elements, 0.974 with those of 128. */
#ifndef CST_WORLD_ROLLING_H
#define CST_WORLD_ROLLING_H

#include "world/contact_rows.h"

/* Adds the rise of side a of a contact with an obstacle to its row, and says whether it is the nearest point. at: its point, with its
 * motion. */
void cst_rolling_add(const cst_row_input *input, const cst_contact *contact, const cst_point_motion *motion,
                     const cst_material_point *at, cst_contact_row *row);

/* Is contact i of the set beside the nearest point of a rod that turns, which is in the set as well? */
bool cst_rolling_beside(const cst_contact_set *set, int i);

#endif
