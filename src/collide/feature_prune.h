/* Removes nearly equal contacts of sheets. The same contact point can be found as a vertex-face, a vertex-edge and an edge-edge
 * contact. Nearly equal contacts give nearly linearly dependent rows in the matrix of the friction problem, which slows its
 * solvers. Li et al. 2018 (section 5.2) treat contacts that act on the same vertices as equal; this code compares the points and
 * the normals of the contacts instead. */
#ifndef CST_COLLIDE_FEATURE_PRUNE_H
#define CST_COLLIDE_FEATURE_PRUNE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Merges contacts of one pair of bodies if their points are within the distance `same` (m) and their normals differ by less than
 * 10 degrees. Of merged contacts, the deepest remains; if several are equally deep, the first in the order of features remains.
 * The remaining contacts keep their order. Returns the number of remaining contacts, or -1 if memory ran out. Time for n
 * contacts: O(n log n), unless very many contact points are close together. */
int cst_feature_prune(cst_feature_touch *touch, int touches, double same, cst_arena *scratch);

#endif
