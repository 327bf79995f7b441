/* Merges contacts at joints of a planar scene.
 *
 * Each of the two elements at a joint decides, with its own rounding errors, whether the point nearest to the second shape lies
 * on this element. A point very near a joint of two elements is therefore accepted on both elements. A contact at joints of both
 * shapes can be found by up to four pairs of elements. Of two contacts that coincide, the one with fewer points at ends of arcs
 * remains. */
#ifndef CST_COLLIDE_JOINT_MERGE_H
#define CST_COLLIDE_JOINT_MERGE_H

#include "base/arena.h"
#include "collide/placed_arc.h"

/* Merges the contacts of a scene with `arcs` arcs. The contacts must be ordered by their shapes `a` and `b`, then by the field
 * `branch`. If the index `b` is at least `arcs`, the shape is a half-plane. The remaining contacts move to the front of `touch`
 * and keep their order. Returns the number of remaining contacts, or -1 if memory ran out. */
int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena);

#endif
