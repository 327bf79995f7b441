/* The touches of two bodies, each place once and without what a shallower touch beside it explains. */
#ifndef CST_COLLIDE_FEATURE_MERGE_H
#define CST_COLLIDE_FEATURE_MERGE_H

#include "base/arena.h"
#include "collide/feature.h"

/* Touches of one pair of owners; `same`: m, within which two of about the same normal are one place. The first ones of `touch` are kept, in
 * the order of their features. Returns how many; -1: out of memory. */
int cst_feature_merge(cst_feature_touch *touch, int touches, double same, cst_arena *arena);

/* The order of lists: owners, features of a, features of b. */
int cst_feature_touch_compare(const void *one, const void *two);

#endif
