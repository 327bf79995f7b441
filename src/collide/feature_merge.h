/* Merges the contacts of two bodies: only one of several contacts at the same point remains, and the contact of two edges that
 * cross deeply is dropped if a shallower contact is near it. */
#ifndef CST_COLLIDE_FEATURE_MERGE_H
#define CST_COLLIDE_FEATURE_MERGE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Merges the contacts `touch` of two bodies. Two contacts with nearly equal normals count as contacts at the same point if they
 * are at most `same` (m) apart. Moves the remaining contacts to the front of `touch`, sorted by their features. Returns the
 * number of remaining contacts, or -1 if memory ran out. */
int cst_feature_merge(cst_feature_touch *touch, int touches, double same, cst_arena *arena);

/* Compares two contacts by their bodies, then by their features a, then by their features b. */
int cst_feature_touch_compare(const void *one, const void *two);

#endif
