/* Merges contacts at joints: a contact at a joint of two elements is found once for each element, and one of these two contacts
 * remains.
 *
 * Each of the two elements at a joint decides, with its own rounding errors, whether the point nearest to the other shape lies on
 * this element. A point near a joint, which may lie on either of the two elements, is accepted for both, so that no contact is
 * lost. A contact at joints of both shapes can be found by up to four pairs of elements. Contacts that coincide are merged. */
#ifndef CST_COLLIDE_JOINT_MERGE_H
#define CST_COLLIDE_JOINT_MERGE_H

#include "base/arena.h"
#include "collide/placed_arc.h"

/* Merges the contacts of a planar scene with `arcs` arcs; the contacts must be ordered by their shapes a and b, and then by the
 * number `branch` that identifies a contact of the two shapes. If the index b of a contact is not below the number of arcs, its
 * second shape is a half-plane. The remaining contacts are moved to the front of `touch`, in the same order. Returns the number
 * of remaining contacts, or -1 if memory ran out. */
int cst_merge_at_joints(const cst_placed_arc *arc, int arcs, cst_touch *touch, int touches, cst_arena *arena);

#endif
