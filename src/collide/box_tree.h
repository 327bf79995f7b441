/* A search tree of axis-parallel boxes.
 *
 * Boxes are sorted by size class and, within a size class, by the Morton code of their centre; from one class to the next, the
 * sizes decrease by a factor of four. Eight consecutive boxes make a leaf of the tree, eight leaves make a node, and so on up.
 * The size classes keep very large boxes out of leaves with small boxes, where they would slow down searches. The coordinates of
 * boxes are stored in single precision, rounded outwards, so that no overlap is missed.
 *
 * In planar scenes the third coordinates of all boxes are 0. */
#ifndef CST_COLLIDE_BOX_TREE_H
#define CST_COLLIDE_BOX_TREE_H

#include "base/arena.h"
#include "collide/eight_lanes.h"

typedef struct cst_box {
    double low[3], high[3];
} cst_box;

static inline void cst_box_widen(cst_box *box, double by)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] -= by;
        box->high[k] += by;
    }
}

enum { CST_BOX_FAN = 8, CST_BOX_LEVELS = 12 };

/* Eight boxes, stored as vectors of eight coordinates, so that one vector comparison tests all eight. */
typedef struct cst_box_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN];
} cst_box_row;

/* Computes how many rows (of eight boxes each) each level of a tree with `leaves` leaves has. Returns the number of levels. */
static inline int cst_box_levels(int leaves, int rows[CST_BOX_LEVELS])
{
    int levels = 1;
    for (rows[0] = leaves; rows[levels - 1] > 1; levels++)
        rows[levels] = (rows[levels - 1] + CST_BOX_FAN - 1) / CST_BOX_FAN;
    return levels;
}

typedef struct cst_box_tree {
    int levels;
    /* rows of each level: level 0 contains the given boxes, level l contains the bounding boxes of the rows of level l - 1 */
    cst_box_row *row[CST_BOX_LEVELS];
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* (8*rows[0]): box indices; -1: none */
} cst_box_tree;

/* Builds the tree. A box with low > high, or with a NaN, overlaps nothing. Infinite boxes are allowed. Returns false if memory
 * ran out. */
bool cst_box_tree_build(const cst_box *box, int boxes, cst_arena *arena, cst_box_tree *tree);

/* Calls `visit` for each leaf that may contain a box overlapping the box from `low` to `high`. Leaves with numbers below `first`
 * are left out. To find overlaps between the leaves of one tree, the caller searches once for each leaf and passes its number as
 * `first`, so that each pair of leaves is visited only once. */
typedef void (*cst_leaf_visit)(void *user, int leaf);
void cst_box_tree_visit(const cst_box_tree *tree, int first, const float *low, const float *high, cst_leaf_visit visit,
                        void *user);

/* Writes the indices of up to `limit` boxes that overlap `box` to `out`, in no particular order. Returns the number of all boxes
 * that overlap `box`, even if it exceeds `limit`. */
int cst_box_tree_query(const cst_box_tree *tree, const cst_box *box, int32_t *out, int limit);

/* Computes the bounding box of the eight boxes of a row. */
void cst_box_row_around(const cst_box_row *row, float *low, float *high);

/* Tests the eight boxes of a row: bit i of the result is set if box i overlaps the box from `low` to `high`. */
static CST_LANES_INLINE uint32_t cst_box_row_overlap(const cst_box_row *row, const float *low, const float *high)
{
    const cst_lane_bits hit = (*cst_lanes_at(row->low[0]) <= high[0]) & (*cst_lanes_at(row->high[0]) >= low[0]) &
                              (*cst_lanes_at(row->low[1]) <= high[1]) & (*cst_lanes_at(row->high[1]) >= low[1]) &
                              (*cst_lanes_at(row->low[2]) <= high[2]) & (*cst_lanes_at(row->high[2]) >= low[2]);
    return cst_lanes_set(&hit);
}

#endif
