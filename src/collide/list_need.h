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

/* The present position of a centreline piece with its chain of capsules, and the displacement of the piece in the step. */
typedef struct cst_group_course {
    /* points of the centreline piece at equal distances along it; the first and the last point are its two ends */
    const double *at[CST_QUARTERS + 1];
    const cst_piece_way *way;
    double reach; /* radius of the centreline piece plus its contact margin (m); negative: the piece has no capsules */
    double sag;   /* largest distance (m) of the curve from the chord of the centreline piece */
} cst_group_course;

/* A centreline piece with its chain of capsules at the time when the neighbour list was made. */
typedef struct cst_group_was {
    double at[CST_QUARTERS + 1][3];
    /* predicted displacements (m) of the points `at` over all steps for which the neighbour list was made */
    double way[CST_QUARTERS + 1][3];
    int32_t count; /* number of capsules along the centreline piece */
    /* largest difference (m) between the predicted displacements of a point of a capsule and of the capsule's middle */
    double half;
    /* least value (m), over the capsules of the piece, of the radius of a capsule in the neighbour list minus the largest
     * distance of the curve from its axis; negative: the piece has no capsules */
    double room;
    double grown; /* length (m) by which the radii of these capsules were enlarged after the neighbour list was made */
    double pose[CST_POSE];
} cst_group_was;

/* Two lengths (m) of a centreline piece. `here`: radius of the piece plus its contact margin plus the error of its predicted
 * position, which is enough for pairs that touch at the start of the present step. `step`: `here` plus the error of the
 * predicted displacement, which is enough for pairs that touch at any time of the present step. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

/* Age of the neighbour list and duration of the present step, in units of the time for which the list was made. The age and the
 * duration are fitted to the motion of the centreline pieces (kept_pairs.c). `time`: age of the neighbour list, in [-1, 1].
 * `pace`: duration of the present step. `step`: duration of the present step, clamped to the range from 0 to 1 - |time|. */
typedef struct cst_list_since {
    double time, step, pace;
} cst_list_since;

/* Computes the predicted displacement of one point of a centreline piece over all steps for which the neighbour list was made.
 * `u`: arc length from the start of the piece to the point, divided by the length of the piece. */
static inline void cst_group_way_at(const cst_group_was *was, double u, double *way)
{
    const double part = u * CST_QUARTERS;
    const int i = part < CST_QUARTERS - 1 ? (int)part : CST_QUARTERS - 1;
    for (int k = 0; k < 3; ++k)
        way[k] = was->way[i][k] + (part - i) * (was->way[i + 1][k] - was->way[i][k]);
}

/* Returns upper bounds for the two lengths of cst_list_need. The errors of the prediction are computed at a few points of the
 * centreline piece and enlarged by was->half, because the neighbour list gives each capsule one displacement. `drift`: largest
 * difference (m) between the displacement since the list was made and its linear interpolation between these points. Returns
 * NaN if any displacement is NaN. */
cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past);

/* Computes the two lengths of cst_list_need exactly. The exact computation takes four times as long as the upper bounds; it is
 * made only if the upper bound exceeds the radius that the capsules have in the neighbour list. */
cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past);

#endif
