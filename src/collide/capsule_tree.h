/* A tree over moving capsules, for long and thin shapes. Bounding boxes do not suit long and thin shapes: the box of a hair of 5
 * cm overlaps the boxes of about a hundred hairs that the hair never comes near.
 *
 * A capsule consists of the points within `radius` of its axis, a straight segment from c - e to c + e. In the step a capsule
 * moves by the displacement `way`, which is known up to the uncertainty `spread`. Capsules are sorted so that consecutive ones
 * are near each other and nearly parallel (capsule_order.h). Eight capsules make a leaf, eight leaves a node, and so on up. A
 * node of the tree is a bounding capsule, with a bounding box. The axis of a node has the mean direction of the capsules below
 * the node, passes through the mean of their centres, and is as long as the ends of all their axes require. The radius of a node
 * is the maximum, over its capsules, of the following sum: the radius of the capsule, plus the distance from the node's axis to
 * the farther end of the capsule's axis. The displacement of a node is the mean displacement of its capsules. The uncertainty of
 * a node's displacement is the maximum, over its capsules, of the following sum: the difference of the capsule's displacement
 * from the mean displacement, plus the uncertainty of the capsule's displacement.
 *
 * The bounding capsule of a bundle of hairs, or of consecutive segments of one hair, is thin. The bounding box of a node is
 * tested as well, because the bounding capsule of shapes that are not nearly parallel is wide.
 *
 * Two capsules may meet in the step if the distance of their axes is less than the sum of their radii, their uncertainties and
 * the length of their relative displacement. A velocity that is common to two capsules does not change whether they may meet. For
 * every vector r, the distance of the axes of two capsules is at least (r.d - |r.e_a| - |r.e_b|) / |r|, where d is the vector
 * from one centre to the other, and e_a and e_b are the half axes. The lower bound for the distance of two axes equals the
 * distance if the vector r joins their nearest points. The vector r of the lower bound for the distance of two axes may be
 * computed in single precision, because the lower bound is valid for every vector r. */
#ifndef CST_COLLIDE_CAPSULE_TREE_H
#define CST_COLLIDE_CAPSULE_TREE_H

#include <math.h>

#include "collide/box_tree.h"

typedef struct cst_capsule {
    double center[3], half[3];
    double radius; /* negative or NaN: no capsule */
    double way[3], spread;
} cst_capsule;

/* Returns the radius (m) of the bounding ball of a capsule: the ball around its centre that contains the capsule, enlarged by the
 * uncertainty of its displacement. Returns -infinity if the capsule is invalid (negative radius). */
static inline double cst_capsule_ball(const cst_capsule *of)
{
    return of->radius >= 0.0
               ? of->radius + of->spread + sqrt(of->half[0] * of->half[0] + of->half[1] * of->half[1] + of->half[2] * of->half[2])
               : -INFINITY;
}

/* Returns true if the bounding balls of two capsules may meet in the step. The test of bounding balls excludes most pairs of
 * capsules and needs no square root. */
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

/* A row of the tree: eight capsules with the numbers (lanes) 0 to 7, which vector instructions test together. */
typedef struct cst_capsule_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN]; /* bounding box, radius included */
    float center[3][CST_BOX_FAN], half[3][CST_BOX_FAN], radius[CST_BOX_FAN];
    float way[3][CST_BOX_FAN], spread[CST_BOX_FAN];
} cst_capsule_row;

typedef struct cst_capsule_tree {
    int levels;
    /* Level 0 of the tree contains the capsules in groups of eight. A group on level l of the capsule tree contains the bounding
     * capsules of eight groups on level l - 1. */
    cst_capsule_row *row[CST_BOX_LEVELS];
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* (8*rows[0]) capsule numbers; -1: none */
} cst_capsule_tree;

/* Returns false if memory ran out. */
bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree);

/* The function cst_capsule_row_fill writes up to eight capsules to the first entries of `row`, leaves out invalid ones, and
 * enlarges each radius by `more` (m). The function cst_capsule_row_bound writes the bounding capsule of the capsules in `from`
 * to the first entry of `to`. The functions cst_capsule_row_fill and cst_capsule_row_bound mark as unused those of the eight
 * entries that they do not fill. */
void cst_capsule_row_fill(const cst_capsule *capsule, int count, double more, cst_capsule_row *row);
void cst_capsule_row_bound(const cst_capsule_row *from, cst_capsule_row *to);

/* Tests the eight capsules of `row` against capsule number `lane` of the group `of`. Returns eight bits: bit i is set if, in
 * the step, capsule i of `row` may meet capsule number `lane` of `of`. */
uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane);

/* The function cst_capsule_row_set_box stores a moving box in place of the first capsule of `to`; the box moves by the
 * displacement `way`, known up to the uncertainty `spread`. The function cst_capsule_row_near_box returns eight bits: bit i is
 * set if capsule i of `row` may meet the box that is stored in `box`. */
void cst_capsule_row_set_box(const cst_box *box, const double *way, double spread, cst_capsule_row *to);
uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_capsule_row *box);

/* The function cst_capsule_tree_visit calls `visit` with each node of a tree level that may meet capsule number `lane` of the
 * group `of`, beginning at the node `first`. The function cst_capsule_tree_visit_box calls `visit` with each leaf of the tree
 * that may meet the box stored in `box`. */
void cst_capsule_tree_visit(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of, int lane,
                            cst_leaf_visit visit, void *user);
void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_capsule_row *box, cst_leaf_visit visit, void *user);

#endif
