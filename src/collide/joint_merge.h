/* Merges contacts at joints of a planar scene.
 *
 * The two elements at a joint are tested separately, with different rounding errors, for a point that is nearest to the second
 * shape. A point very near a joint of two elements is therefore accepted on both elements. A contact at joints of both shapes can
 * be found by up to four pairs of elements. If two contacts coincide, the one with fewer points at ends of arcs remains. */
#ifndef CST_COLLIDE_JOINT_MERGE_H
#define CST_COLLIDE_JOINT_MERGE_H

#include "base/arena.h"
#include "collide/placed_arc.h"

/* Merges the contacts of a scene with `arcs` arcs. The contacts must be ordered by their shapes `a` and `b`, then by the field
 * `branch`. If the index `b` is at least `arcs`, the shape is a half-plane. The remaining contacts move to the front of `touch`
 * and keep their order. Returns the number of remaining contacts, or -1 if memory ran out. */
int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena);

#endif
