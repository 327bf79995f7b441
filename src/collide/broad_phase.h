/* Which boxes overlap: a leaf of their tree asks for all leaves behind it that overlap it, then boxes against boxes.
 *
 * Work O(n log n), memory O(n + pairs). The result is a list of rows: row a has all b > a, increasing, whose boxes overlap and
 * which the caller's rule lets through. It does not depend on the number of threads. */
#ifndef CST_COLLIDE_BROAD_PHASE_H
#define CST_COLLIDE_BROAD_PHASE_H

#include "collide/box_tree.h"
#include "collide/pair_rows.h"

/* rule NULL: all may touch all. False: memory ran out. */
bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_pair_list *out);

#endif
