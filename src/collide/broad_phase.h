/* Finds overlapping boxes. For each leaf of the box tree (a group of eight boxes), all later leaves that overlap it are found,
 * and their boxes are tested one by one.
 *
 * Work: O(n log n), memory: O(n + pairs). The result is a list of rows: row a has, in increasing order, the indices b > a of all
 * boxes that overlap box a. Pairs of boxes that the caller's function `rule` rejects are left out. The list of overlapping boxes
 * does not depend on the number of threads. */
#ifndef CST_COLLIDE_BROAD_PHASE_H
#define CST_COLLIDE_BROAD_PHASE_H

#include "collide/box_tree.h"
#include "collide/pair_rows.h"

/* `rule`: NULL accepts all pairs. Returns false if memory ran out. */
bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_pair_list *out);

/* Finds the boxes of the list `second` that overlap boxes of the list `first`. Row a of the result has, in increasing order, the
 * indices of all boxes of the second list that overlap box a of the first list. Pairs of boxes that the function `rule` of the
 * caller rejects are left out. Two boxes of the same list are not tested against each other, so the search is faster than a
 * search in one list of all boxes. */
bool cst_overlapping_lists(const cst_box *first, int firsts, const cst_box *second, int seconds, cst_pair_rule rule,
                           const void *user, int threads, cst_arena *arena, cst_pair_list *out);

#endif
