/* Finds all pairs of overlapping bounding boxes with a box tree (box_tree.h).
 *
 * For each leaf of the box tree (eight boxes), the search visits this leaf and all later leaves with an overlapping bounding box.
 * The boxes of two leaves are tested one by one. The work grows as n log n with the number n of boxes. The list of overlapping
 * pairs does not depend on the number of threads. */
#ifndef CST_COLLIDE_BROAD_PHASE_H
#define CST_COLLIDE_BROAD_PHASE_H

#include "collide/box_tree.h"
#include "collide/pair_rows.h"

/* Lists the pairs of overlapping boxes in the array `box`. Row a of the list contains, in increasing order, the indices b > a of
 * the boxes that overlap box a. Pairs for which the function `rule` returns false are left out; if `rule` is NULL, no pair is
 * left out. Returns false if memory ran out. */
bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_pair_list *out);

/* Lists the pairs of overlapping boxes of two arrays. Row a of the list contains, in increasing order, the indices of the boxes
 * of `second` that overlap box a of `first`. Two boxes of the same array are not tested against each other. Pairs for which the
 * function `rule` returns false are left out. */
bool cst_overlapping_lists(const cst_box *first, int firsts, const cst_box *second, int seconds, cst_pair_rule rule,
                           const void *user, int threads, cst_arena *arena, cst_pair_list *out);

#endif
