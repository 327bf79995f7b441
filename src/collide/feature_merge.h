/* Merges the contacts of two bodies: of several contacts at the same point one remains, and deep crossings of edges beside a
 * shallower contact are dropped. */
#ifndef CST_COLLIDE_FEATURE_MERGE_H
#define CST_COLLIDE_FEATURE_MERGE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Merges the contacts of one pair of bodies. Contacts that are closer to each other than `same` (m) and have nearly equal normals
 * count as contacts at the same point. The remaining contacts are moved to the front of `touch`, ordered by their features.
 * Returns the number of remaining contacts, or -1 if memory ran out. */
int cst_feature_merge(cst_feature_touch *touch, int touches, double same, cst_arena *arena);

/* Compares two contacts by their bodies, then by their features a, then by their features b. */
int cst_feature_touch_compare(const void *one, const void *two);

#endif
