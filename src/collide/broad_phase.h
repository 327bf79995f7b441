/* Finds all pairs of overlapping axis-aligned boxes with a box tree (box_tree.h). The work grows as n log n with the number n of
 * boxes. The list of pairs does not depend on the number of threads. */
#ifndef CST_COLLIDE_BROAD_PHASE_H
#define CST_COLLIDE_BROAD_PHASE_H

#include "collide/box_tree.h"
#include "collide/pair_rows.h"

/* Row a of the list of pairs contains, in increasing order, the indices b > a of the boxes that overlap box a. Pairs for which
 * the function `rule` returns false are left out. Returns false if memory ran out. */
bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_pair_list *out);

/* Finds the boxes of the array `second` that overlap boxes of the array `first`: row a of the list contains the indices of the
 * boxes of `second` that overlap box a of `first`. */
bool cst_overlapping_lists(const cst_box *first, int firsts, const cst_box *second, int seconds, cst_pair_rule rule,
                           const void *user, int threads, cst_arena *arena, cst_pair_list *out);

#endif
