/* Merges the touches of two bodies: one touch for each place, and no deep edge crossing beside a shallower touch. */
#ifndef CST_COLLIDE_FEATURE_MERGE_H
#define CST_COLLIDE_FEATURE_MERGE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Merges the touches of one pair of owners. `same`: touches with nearly equal normals closer than this distance (m) count as one
 * place. The touches that are kept are moved to the front of `touch`, ordered by their features. Returns the number of kept
 * touches, or -1 if memory ran out. */
int cst_feature_merge(cst_feature_touch *touch, int touches, double same, cst_arena *arena);

/* Compares touches by their owners, then by the features of a, then by the features of b. */
int cst_feature_touch_compare(const void *one, const void *two);

#endif
