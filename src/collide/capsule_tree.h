/* A search tree over moving capsules, for long and thin shapes. Axis-aligned boxes do not suit thin shapes: the box of a hair of
 * 5 cm overlaps the boxes of about a hundred hairs that are far from this hair.
 *
 * A moving capsule is given by the following quantities:
 *     `c`: centre of the axis of the capsule.
 *     `e`: half of the axis, as a vector: the axis is the segment from c - e to c + e.
 *     `radius`: the capsule consists of all points within this distance (m) of the axis.
 *     `way`: displacement of the capsule in the step (m).
 *     `spread`: upper bound (m) for the error of the displacement `way`.
 *
 * Capsules are sorted so that consecutive capsules are near each other and nearly parallel (capsule_order.h). Eight consecutive
 * capsules make a leaf, eight leaves make a node, and so on up. Every leaf and node has a bounding capsule. The axis of a
 * bounding capsule has the mean direction of the capsules in it and passes through the mean of their centres. The displacement of
 * a bounding capsule is the mean of the displacements of the capsules in it. The value `spread` of a bounding capsule includes
 * the differences from the mean displacement.
 *
 * The bounding capsule of a bundle of hairs is thin, but the bounding capsule of capsules in different directions is thick. Every
 * leaf and node therefore has an axis-aligned bounding box, too, which is tested first.
 *
 * Two capsules a and b can meet in the step only if the distance between their axes is small enough:
 *     `dist <= radius_a+radius_b+|way_a-way_b|+spread_a+spread_b`.
 *     `dist >= (r.d-|r.e_a|-|r.e_b|)/|r|` for every vector r.
 *     `dist`: distance between the axes of the capsules a and b.
 *     `d`: vector from the centre of capsule a to the centre of capsule b.
 *
 * The test uses the lower bound of `dist` for the vector r between the nearest points of the two axes. For this vector, the lower
 * bound equals the distance between the axes. The lower bound holds for every vector r, so the vector r is computed in single
 * precision. */
#ifndef CST_COLLIDE_CAPSULE_TREE_H
#define CST_COLLIDE_CAPSULE_TREE_H

#include <math.h>

#include "collide/box_tree.h"

typedef struct cst_capsule {
    double center[3], half[3];
    double radius; /* negative or NaN: no capsule */
    double way[3], spread;
} cst_capsule;

/* Returns the radius (m) of the bounding ball of a capsule, `radius+spread+|e|`, whose centre is the centre of the capsule.
 * Returns -infinity if the radius of the capsule is negative or NaN. */
static inline double cst_capsule_ball(const cst_capsule *of)
{
    return of->radius >= 0.0
               ? of->radius + of->spread + sqrt(of->half[0] * of->half[0] + of->half[1] * of->half[1] + of->half[2] * of->half[2])
               : -INFINITY;
}

/* Returns true if the bounding balls of two capsules, with the radii `ball_a` and `ball_b` (m), may meet in the step. The test of
 * the balls needs no square root and excludes most pairs of capsules. */
static inline bool cst_capsule_balls_meet(const cst_capsule *a, double ball_a, const cst_capsule *b, double ball_b)
{
    static const double ROUNDING = 1e-9;
    double square = 0.0, way = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = b->center[k] - a->center[k];
        square += d * d;
        way += fabs(b->way[k] - a->way[k]);
    }
    const double reach = (1.0 + ROUNDING) * (ball_a + ball_b + way);
    return reach >= 0.0 && square <= reach * reach;
}

/* A row: eight capsules, stored such that vector instructions process the eight capsules together. */
typedef struct cst_capsule_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN]; /* bounding box, radius included */
    float center[3][CST_BOX_FAN], half[3][CST_BOX_FAN], radius[CST_BOX_FAN];
    float way[3][CST_BOX_FAN], spread[CST_BOX_FAN];
} cst_capsule_row;

typedef struct cst_capsule_tree {
    int levels;
    /* row[0]: all capsules, eight per row; row[l] with l > 0: the bounding capsules of the rows of level l - 1, eight per row */
    cst_capsule_row *row[CST_BOX_LEVELS];
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* array (8*rows[0]): capsule numbers; -1: none */
} cst_capsule_tree;

/* Returns false if memory ran out. */
bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree);

/* The function cst_capsule_row_fill writes up to eight capsules to `row` and enlarges their radii by `more` (m). Capsules with a
 * negative radius are left out. The function cst_capsule_row_bound writes the bounding capsule of the row `from` to entry 0 of
 * the row `to`. Entries of the row that are not written are marked as unused. */
void cst_capsule_row_fill(const cst_capsule *capsule, int count, double more, cst_capsule_row *row);
void cst_capsule_row_bound(const cst_capsule_row *from, cst_capsule_row *to);

/* Tests capsule number `lane` of the row `of` against the eight capsules of `row`. Returns eight bits: bit i is set if the tested
 * capsule may meet capsule i of `row` in the step. */
uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane);

/* The function cst_capsule_row_set_box writes a moving box to entry 0 of the row `to`. The box moves by the displacement `way`
 * (m), whose error is at most `spread` (m). The function cst_capsule_row_near_box returns eight bits: bit i is set if the moving
 * box may meet the bounding box of capsule i of `row` in the step. */
void cst_capsule_row_set_box(const cst_box *box, const double *way, double spread, cst_capsule_row *to);
uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_capsule_row *box);

/* The function cst_capsule_tree_visit calls `visit` with each row of the tree level `level` that may contain capsules near
 * capsule number `lane` of the row `of`. Rows with numbers below `first` are left out. The function cst_capsule_tree_visit_box
 * calls `visit` with each leaf that may contain capsules near a moving box. */
void cst_capsule_tree_visit(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of, int lane,
                            cst_leaf_visit visit, void *user);
void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_capsule_row *box, cst_leaf_visit visit, void *user);

#endif
