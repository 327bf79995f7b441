/* A tree over boxes sorted along a space-filling curve.
 *
 * Boxes are sorted by size class (factors of four) and, within it, by the Morton code of their centre; eight in a row make a
 * leaf, eight leaves a node, and so on up: no pointers, no parameter, and boxes of very different sizes do not slow each other
 * down. Boxes are kept in single precision, rounded outwards: no overlap is missed.
 *
 * In the plane the third coordinates are left 0. */
#ifndef CST_COLLIDE_BOX_TREE_H
#define CST_COLLIDE_BOX_TREE_H

#include "base/arena.h"

typedef struct cst_box {
    double low[3], high[3];
} cst_box;

enum { CST_BOX_FAN = 8, CST_BOX_LEVELS = 12 };

/* Eight boxes side by side, so that one comparison serves all. */
typedef struct cst_box_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN];
} cst_box_row;

typedef struct cst_box_tree {
    int levels;
    cst_box_row *row[CST_BOX_LEVELS]; /* row[0]: the boxes; row[l]: unions of the rows of l - 1 */
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* (8 rows[0]) box in each place, -1: none */
} cst_box_tree;

/* A box with low > high, or one that is not a number, overlaps nothing. Infinite boxes are fine. False: memory ran out. */
bool cst_box_tree_build(const cst_box *box, int boxes, cst_arena *arena, cst_box_tree *tree);

/* Calls visit with each leaf (row of level 0) from the leaf `first` on whose boxes may overlap low .. high. */
typedef void (*cst_leaf_visit)(void *user, int leaf);
void cst_box_tree_visit(const cst_box_tree *tree, int first, const float *low, const float *high, cst_leaf_visit visit,
                        void *user);

/* The boxes that overlap `box`, in no useful order, as many as there is room for. Returns how many there are. */
int cst_box_tree_query(const cst_box_tree *tree, const cst_box *box, int32_t *out, int limit);

/* The box around a row. */
void cst_box_row_around(const cst_box_row *row, float *low, float *high);

/* Which of eight boxes overlap one: a bit each. Comparisons as wide as the numbers, without branches: they run side by side. */
static inline uint32_t cst_box_row_overlap(const cst_box_row *row, const float *low, const float *high)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < CST_BOX_FAN; ++i) {
        const int hit = (row->low[0][i] <= high[0]) & (row->high[0][i] >= low[0]) & (row->low[1][i] <= high[1]) &
                        (row->high[1][i] >= low[1]) & (row->low[2][i] <= high[2]) & (row->high[2][i] >= low[2]);
        bits |= (uint32_t)-hit & 1u << i;
    }
    return bits;
}

#endif
