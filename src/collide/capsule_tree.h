/* A search tree over moving capsules, for long and thin shapes. An axis-aligned box does not suit a thin shape: the box of a hair
 * of 5 cm overlaps the boxes of about a hundred hairs that are far from this hair.
 *
 * A moving capsule is given by its axis, its radius and its displacement in the step:
 *     `c`: centre of the axis.
 *     `e`: half axis, from the centre of the capsule to an end of its axis.
 *     `radius`: radius of the capsule (m).
 *     `way`: displacement (m).
 *     `spread`: upper bound (m) for |w - way|, where w is the true displacement of any point of the capsule.
 *
 * The capsules are sorted such that consecutive capsules are near each other and nearly parallel (capsule_order.h). Eight
 * consecutive capsules make a leaf, eight leaves make a node, and so on up. A leaf or node has a bounding capsule, whose axis has
 * the mean direction of the capsules in it. The bounding capsule of nearly parallel capsules is thin. For capsules in different
 * directions, the bounding capsule is thick, so the bounding box of each leaf or node is also tested.
 *
 * Two capsules a and b can meet in the step only if the distance `dist` between their axes is small enough:
 *     `dist <= radius_a+radius_b+|way_a-way_b|+spread_a+spread_b`.
 *     `dist >= (r.d-|r.e_a|-|r.e_b|)/|r|`.
 *     `d`: vector from c_a to c_b.
 *
 * The lower bound (r.d-|r.e_a|-|r.e_b|)/|r| for the distance between the axes holds for any vector r (d: vector between the
 * centres; e_a, e_b: half axes). Rounding errors of the vector r do not make this lower bound wrong, so r is computed in single
 * precision. The lower bound for the distance between the axes is exact if the vector r joins the nearest points of the axes. */
#ifndef CST_COLLIDE_CAPSULE_TREE_H
#define CST_COLLIDE_CAPSULE_TREE_H

#include <math.h>

#include "collide/box_tree.h"

typedef struct cst_capsule {
    double center[3], half[3];
    double radius; /* negative or NaN: no capsule */
    double way[3], spread;
} cst_capsule;

/* Returns the radius (m) of the smallest ball around the centre of a capsule that contains the capsule, plus the largest error
 * `spread` of its displacement. Returns -infinity if the capsule is invalid. */
static inline double cst_capsule_ball(const cst_capsule *of)
{
    return of->radius >= 0.0
               ? of->radius + of->spread + sqrt(of->half[0] * of->half[0] + of->half[1] * of->half[1] + of->half[2] * of->half[2])
               : -INFINITY;
}

/* Returns true if the bounding balls of two capsules may meet in the step. The test of the balls needs no square root and
 * excludes most pairs of capsules. */
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

/* Eight capsules, stored such that vector instructions process them together. */
typedef struct cst_capsule_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN]; /* bounding box, radius included */
    float center[3][CST_BOX_FAN], half[3][CST_BOX_FAN], radius[CST_BOX_FAN];
    float way[3][CST_BOX_FAN], spread[CST_BOX_FAN];
} cst_capsule_row;

typedef struct cst_capsule_tree {
    int levels;
    /* row[0]: all capsules, eight per row; row[l] with l > 0: the bounding capsules of the rows of level l - 1 */
    cst_capsule_row *row[CST_BOX_LEVELS];
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* array (8*rows[0]): capsule numbers; -1: none */
} cst_capsule_tree;

/* Returns false if memory ran out. */
bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree);

/* The function cst_capsule_row_fill writes up to eight capsules to `row`, with radii enlarged by `more` (m); capsules whose
 * radius is negative or NaN are left out. The function cst_capsule_row_bound computes one capsule around all capsules of the row
 * `from`, and writes it to entry 0 of the row `to`. */
void cst_capsule_row_fill(const cst_capsule *capsule, int count, double more, cst_capsule_row *row);
void cst_capsule_row_bound(const cst_capsule_row *from, cst_capsule_row *to);

/* Tests capsule number `lane` of the row `of` against the eight capsules of `row`. Returns eight bits: bit i is set if the tested
 * capsule may meet capsule i of `row` in the step. */
uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane);

/* The function cst_capsule_row_set_box writes a moving box to entry 0 of the row `to`. The function cst_capsule_row_near_box
 * tests the moving box against the bounding boxes of the eight capsules of `row`. */
void cst_capsule_row_set_box(const cst_box *box, const double *way, double spread, cst_capsule_row *to);
uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_capsule_row *box);

/* The function cst_capsule_tree_visit calls `visit` for each row of the tree level `level`, from row `first` on, that may contain
 * capsules near a given capsule (number `lane` of the row `of`). The function cst_capsule_tree_visit_box calls `visit` for each
 * leaf that may contain capsules near a moving box. */
void cst_capsule_tree_visit(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of, int lane,
                            cst_leaf_visit visit, void *user);
void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_capsule_row *box, cst_leaf_visit visit, void *user);

#endif
