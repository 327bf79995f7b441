/* Removes near-duplicates among the contacts of sheets: the same place found as vertex-face, vertex-edge and edge-edge. One
 * contact per place is enough (Li et al. 2018, section 5.2, prune by the vertices that a contact moves). Duplicate contacts make
 * the rows of the friction problem linearly dependent and its solvers slow. */
#ifndef CST_COLLIDE_FEATURE_PRUNE_H
#define CST_COLLIDE_FEATURE_PRUNE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Among the contacts of one pair of bodies, merges contacts within the distance `same` (m) whose normals differ by less than 10
 * degrees. The deepest contact is kept; if several are equally deep, the first in the order of features. The contacts that are
 * kept stay in their order. Returns the number of kept contacts, or -1 if memory ran out. The time is O(n log n) if the contact
 * points are not crowded. */
int cst_feature_prune(cst_feature_touch *touch, int touches, double same, cst_arena *scratch);

#endif
