/* A tree over boxes sorted along a space-filling curve.
 *
 * Boxes are sorted by size class (factors of four) and, within a class, by the Morton code of their centre. Eight consecutive
 * boxes make a leaf, eight leaves make a node, and so on up. The tree needs no pointers and no tuning parameter, and a few very
 * large boxes do not slow down searches among the small ones. Boxes are stored in single precision, rounded outwards, so that no
 * overlap is missed.
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

/* Eight boxes in vectors of eight numbers, so that one comparison tests all of them. */
typedef struct cst_box_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN];
} cst_box_row;

/* Computes, for each level of the tree, the number of rows (groups of eight boxes); level 0 has `leaves` rows. Returns the number
 * of levels. */
static inline int cst_box_levels(int leaves, int rows[CST_BOX_LEVELS])
{
    int levels = 1;
    for (rows[0] = leaves; rows[levels - 1] > 1; levels++)
        rows[levels] = (rows[levels - 1] + CST_BOX_FAN - 1) / CST_BOX_FAN;
    return levels;
}

typedef struct cst_box_tree {
    int levels;
    /* Level 0 of the tree contains the boxes in groups of eight. A group on level l contains the bounding boxes of eight groups
     * on level l - 1. */
    cst_box_row *row[CST_BOX_LEVELS];
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* (8*rows[0]) box numbers; -1: none */
} cst_box_tree;

/* A box with low > high, or with a NaN, overlaps nothing. Infinite boxes are allowed. Returns false if memory ran out. */
bool cst_box_tree_build(const cst_box *box, int boxes, cst_arena *arena, cst_box_tree *tree);

/* Calls `visit` with each leaf of the tree, from the leaf `first` on, whose boxes may overlap the box with the corners `low` and
 * `high`. */
typedef void (*cst_leaf_visit)(void *user, int leaf);
void cst_box_tree_visit(const cst_box_tree *tree, int first, const float *low, const float *high, cst_leaf_visit visit,
                        void *user);

/* Writes up to `limit` boxes that overlap `box` to `out`, in no particular order. Returns the number of all boxes that overlap
 * `box`, also if it exceeds `limit`. */
int cst_box_tree_query(const cst_box_tree *tree, const cst_box *box, int32_t *out, int limit);

/* Computes the bounding box of eight boxes. */
void cst_box_row_around(const cst_box_row *row, float *low, float *high);

/* Tests eight boxes and returns eight bits: bit i is set if box i overlaps the box with the corners `low` and `high`. */
static CST_LANES_INLINE uint32_t cst_box_row_overlap(const cst_box_row *row, const float *low, const float *high)
{
    const cst_lane_bits hit = (*cst_lanes_at(row->low[0]) <= high[0]) & (*cst_lanes_at(row->high[0]) >= low[0]) &
                              (*cst_lanes_at(row->low[1]) <= high[1]) & (*cst_lanes_at(row->high[1]) >= low[1]) &
                              (*cst_lanes_at(row->low[2]) <= high[2]) & (*cst_lanes_at(row->high[2]) >= low[2]);
    return cst_lanes_set(&hit);
}

#endif
