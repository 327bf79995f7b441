/* Tests if a neighbour list (kept_pairs.h) is certain to contain all pairs of capsules that touch in the present step.
 *
 * A neighbour list is made from a predicted motion, with capsules whose radii are enlarged by a skin. The neighbour list is
 * certain to contain all pairs that touch if every capsule of every centreline piece satisfies the following inequality:
 *     `R-h >= rho+m+e`.
 *
 * Symbols of the inequality:
 *     `R`: radius of a capsule in the neighbour list, skin included (m).
 *     `h`: largest distance of the curve from the axis of the capsule (m).
 *     `rho`: radius of the centreline piece plus its contact margin (m).
 *     `m`: largest error of the predicted position of a point of the centreline piece (m).
 *     `e`: largest error of the predicted displacement of a point of the centreline piece in the present step (m). */
#ifndef CST_COLLIDE_LIST_NEED_H
#define CST_COLLIDE_LIST_NEED_H

#include "collide/shape_space.h"

/* Present state of a centreline piece. */
typedef struct cst_group_course {
    /* equally spaced points, both ends included */
    const double *at[CST_QUARTERS + 1];
    const cst_piece_way *way;
    double reach; /* radius plus margin (m); negative: unusable */
    double sag;   /* upper bound (m) for the distance of the curve from the chord of the centreline piece */
} cst_group_course;

/* State of a centreline piece and its chain of capsules at the time when the neighbour list was made. */
typedef struct cst_group_was {
    double at[CST_QUARTERS + 1][3];
    /* predicted displacements (m) of the points `at` over all steps for which the neighbour list was made */
    double way[CST_QUARTERS + 1][3];
    int32_t count; /* number of capsules */
    /* upper bound (m) for the difference between the predicted displacements of a point of a capsule and of the capsule's
     * middle */
    double half;
    double grown; /* length (m) by which the radii of the capsules were enlarged after the neighbour list was made */
    double pose[CST_POSE];
} cst_group_was;

/* Lower limits (m) for R-h: the radius of a capsule in the neighbour list minus the largest distance of the curve from the
 * capsule's axis. Symbols: top of list_need.h.
 *     `here`: limit rho+m (rod radius, margin and position error). If R-h (radius minus largest distance of the curve from the
 *         axis) of every capsule is at least `here`, the neighbour list contains all pairs that touch at the start of the present
 *         step.
 *     `step`: limit rho+m+e (with the displacement error e). If R-h (radius minus largest distance of the curve from the axis) of
 *         every capsule is at least `step`, the neighbour list contains all pairs that touch at any time of the present step. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

/* Age of the neighbour list and duration of the present step, as shares of the time for which the list was made. Age and duration
 * are fitted to displacements by least squares (kept_pairs.c), not computed from times. The age times the predicted displacement
 * approximates the displacement since the list was made. The duration times the predicted displacement approximates the
 * displacement in the present step. `time`: age, in [-1, 1]. `pace`: duration. `step`: duration, clamped to [0, 1-|time|]. */
typedef struct cst_list_since {
    double time, step, pace;
} cst_list_since;

/* Computes the predicted displacement of the point at the share u of the length of a centreline piece, over all steps for which
 * the neighbour list was made. */
static inline void cst_group_way_at(const cst_group_was *was, double u, double *way)
{
    const double part = u * CST_QUARTERS;
    const int i = part < CST_QUARTERS - 1 ? (int)part : CST_QUARTERS - 1;
    for (int k = 0; k < 3; ++k)
        way[k] = was->way[i][k] + (part - i) * (was->way[i + 1][k] - was->way[i][k]);
}

/* Returns upper bounds for the two limits `here` and `step` of cst_list_need; `step` is NaN if any displacement is NaN. `drift`:
 * largest difference (m) between the displacement of the curve since the list was made and its linear interpolation between the
 * points `at`. */
cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past);

/* Computes the two limits `here` and `step` of cst_list_need exactly, which takes four times as long as computing upper bounds.
 * The exact limits are needed only if the upper bounds do not show that the neighbour list contains all pairs that touch. */
cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past);

#endif
