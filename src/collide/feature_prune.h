/* Removes near-duplicates among the contacts of sheets: the same contact point may be found as a vertex-face, a vertex-edge and
 * an edge-edge contact. Of all contacts at one point, one is kept. Li et al. 2018 (section 5.2) also remove duplicates, but
 * there two contacts are duplicates if they act on the same vertices. Duplicate contacts make the rows of the friction problem
 * linearly dependent and its solvers slow. */
#ifndef CST_COLLIDE_FEATURE_PRUNE_H
#define CST_COLLIDE_FEATURE_PRUNE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Among the contacts of one pair of bodies, merges contacts within the distance `same` (m) whose normals differ by less than 10
 * degrees. Of the contacts that are merged, the deepest remains; if several are equally deep, the first in the order of features.
 * The remaining contacts stay in their order. Returns the number of remaining contacts, or -1 if memory ran out. The time is O(n
 * log n) for n contacts, unless very many contact points are close together. */
int cst_feature_prune(cst_feature_touch *touch, int touches, double same, cst_arena *scratch);

#endif
