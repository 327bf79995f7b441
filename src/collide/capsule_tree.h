/* A tree over capsules that move, for what is long and thin: a hair of 5 cm has a box of 5 cm, in which a hundred neighbours lie
 * that it never comes near.
 *
 * A capsule is the points within `radius` of the line c - e .. c + e. In the step it goes by `way`, give or take `spread`. Capsules
 * are sorted so that what stands together is near AND parallel (capsule_order.h); eight make a leaf, eight leaves a node, and so on up. A node is a capsule too, with a box around it:
 *
 *     its line has the mean direction and goes through the mean of the centres, as far as the ends of all lines reach along it;
 *     radius: max (distance of an end across the line + radius_i);      way: mean,  spread: max (|way_i - way| + spread_i).
 *
 * A bundle of hairs and the segments of one hair, end to end, both have thin nodes; the box serves what is neither.
 *
 * Two capsules may meet in the step if their lines come nearer than R = radius_a + radius_b + |way_a - way_b| + spread_a +
 * spread_b: a common velocity counts for nothing. With any vector r, d = c_b - c_a, the distance of the lines is at least
 *
 *     (r.d - |r.e_a| - |r.e_b|) / |r|,
 *
 * and just that if r joins their nearest points; r is computed in single precision, and the test holds for whatever it is. */
#ifndef CST_COLLIDE_CAPSULE_TREE_H
#define CST_COLLIDE_CAPSULE_TREE_H

#include <math.h>

#include "collide/box_tree.h"

typedef struct cst_capsule {
    double center[3], half[3];
    double radius; /* negative or not a number: there is none */
    double way[3], spread;
} cst_capsule;

/* Radius of a ball about the middle of a capsule that holds it, spread included; negative: there is none. */
static inline double cst_capsule_ball(const cst_capsule *of)
{
    return of->radius >= 0.0
               ? of->radius + of->spread + sqrt(of->half[0] * of->half[0] + of->half[1] * of->half[1] + of->half[2] * of->half[2])
               : -INFINITY;
}

/* May the balls of two capsules meet in the step? Most pairs of two chains are told apart by that, and it needs no root. */
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

/* Eight capsules side by side. */
typedef struct cst_capsule_row {
    float low[3][CST_BOX_FAN], high[3][CST_BOX_FAN]; /* box, the radius included */
    float center[3][CST_BOX_FAN], half[3][CST_BOX_FAN], radius[CST_BOX_FAN];
    float way[3][CST_BOX_FAN], spread[CST_BOX_FAN];
} cst_capsule_row;

typedef struct cst_capsule_tree {
    int levels;
    cst_capsule_row *row[CST_BOX_LEVELS]; /* row[0]: the capsules; row[l]: one for each row of l - 1 */
    int rows[CST_BOX_LEVELS];
    int32_t *index; /* (8 rows[0]) capsule in each place, -1: none */
} cst_capsule_tree;

/* False: memory ran out. */
bool cst_capsule_tree_build(const cst_capsule *capsule, int capsules, cst_arena *arena, cst_capsule_tree *tree);

/* Which of eight may meet the one in a lane of another row in the step: a bit each. */
uint32_t cst_capsule_row_near(const cst_capsule_row *row, const cst_capsule_row *of, int lane);

/* A row with a box in its first lane, which goes by `way`, give or take `spread`; and which of eight may meet that. */
void cst_capsule_row_set_box(const cst_box *box, const double *way, double spread, cst_capsule_row *to);
uint32_t cst_capsule_row_near_box(const cst_capsule_row *row, const cst_capsule_row *box);

/* Calls visit with each row of a level from the row `first` on in which something may meet the capsule in a lane; with each leaf (row of
 * level 0) in which something may meet the box. */
void cst_capsule_tree_visit(const cst_capsule_tree *tree, int level, int first, const cst_capsule_row *of, int lane,
                            cst_leaf_visit visit, void *user);
void cst_capsule_tree_visit_box(const cst_capsule_tree *tree, const cst_capsule_row *box, cst_leaf_visit visit, void *user);

#endif
