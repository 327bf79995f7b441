/* Near-duplicates among the touches of sheets: the same place seen as vertex and face, vertex and edge, edge and edge. One of them says it all (Li et al. 2018,
 * section 5.2, who prune by the vertices that a contact moves); the others make friction's rows depend on each other and its solvers slow. */
#ifndef CST_COLLIDE_FEATURE_PRUNE_H
#define CST_COLLIDE_FEATURE_PRUNE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Of touches of one pair of owners: those within `same` (m) of each other whose normals differ by less than 10 degrees become one, the deepest; of equal ones the
 * first in the order of features. Those that stay keep their order. Returns how many; -1: out of memory. Time grows with n log n where places are spread out. */
int cst_feature_prune(cst_feature_touch *touch, int touches, double same, cst_arena *scratch);

#endif
