/* Merges contacts at joints: a contact at a joint is found by both elements, and one of the two is kept.
 *
 * Each of the two elements at a joint decides, with its own rounding errors, whether the point nearest to the other shape lies on
 * this element. At a joint, points that may lie on either element are accepted for both, so that no contact is lost. A contact at
 * joints of both shapes can be found by up to four pairs of elements. Contacts that coincide are merged. */
#ifndef CST_COLLIDE_JOINT_MERGE_H
#define CST_COLLIDE_JOINT_MERGE_H

#include "base/arena.h"
#include "collide/placed_arc.h"

/* Merges the contacts of `arcs` arcs, ordered by (a, b, branch); b >= arcs is a half-plane. The contacts that are kept are moved
 * to the front of `touch`, in order. Returns the number of kept contacts, or -1 if memory ran out. */
int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena);

#endif
