/* Which boxes overlap: a leaf of their tree asks for all leaves behind it that overlap it, then boxes against boxes.
 *
 * Work O(n log n), memory O(n + pairs). The result is a list of rows: row a has all b > a, increasing, whose boxes overlap and
 * which the caller's rule lets through. It does not depend on the number of threads. */
#ifndef CST_COLLIDE_BROAD_PHASE_H
#define CST_COLLIDE_BROAD_PHASE_H

#include "collide/box_tree.h"

typedef struct cst_box_pairs {
    int64_t *row_start; /* (boxes + 1) */
    int32_t *partner;   /* (row_start[boxes]) */
} cst_box_pairs;

/* May a touch b (a < b)? Called from several threads, perhaps twice for a pair: must not change anything. NULL: all may. */
typedef bool (*cst_pair_rule)(const void *user, int32_t a, int32_t b);

/* False: memory ran out. */
bool cst_overlapping_boxes(const cst_box *box, int boxes, cst_pair_rule rule, const void *user, int threads, cst_arena *arena,
                           cst_box_pairs *out);

/* Capacity of a list of so many, in powers of two: one that grows a little does not ask for memory again. */
size_t cst_roomy(int64_t count);

#endif
