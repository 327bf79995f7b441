/* A contact at a joint is seen by both elements: one of the two is left.
 *
 * Each element decides with its own rounding whether the nearest point is on it. At a joint the doubtful ones are all taken
 * (nothing may be lost), so a contact there can be found by up to four pairs of elements: those that coincide are one. */
#ifndef CST_COLLIDE_JOINT_MERGE_H
#define CST_COLLIDE_JOINT_MERGE_H

#include "base/arena.h"
#include "collide/placed_arc.h"

/* Touches ordered by (a, b, branch) of `arcs` arcs; b >= arcs is a half-plane. The first places of `touch` keep those that are left,
 * in order. Returns how many, or -1 if memory ran out. */
int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena);

#endif
