/* Deviation of a group of capsules from the position and the displacement that a neighbour list predicts for it. */
#ifndef CST_COLLIDE_LIST_NEED_H
#define CST_COLLIDE_LIST_NEED_H

#include "collide/shape_space.h"

/* Current position of a group of capsules and its displacement in the step. */
typedef struct cst_group_course {
    const double *at[CST_QUARTERS + 1]; /* points at equal distances along the group's centreline piece, with its two ends */
    const cst_piece_way *way;
    double reach; /* radius + margin (m); negative: none */
    double sag;   /* largest distance of the group's curve from its chord (m) */
} cst_group_course;

/* State of a group of capsules at the time when the neighbour list was made. */
typedef struct cst_group_was {
    double at[CST_QUARTERS + 1][3];
    /* m: predicted displacements of the points `at` over all steps for which the neighbour list was made; linear between these
     * points */
    double way[CST_QUARTERS + 1][3];
    int32_t count; /* of its capsules */
    /* largest difference between the displacement of a point of a capsule and the displacement of the capsule's middle (m) */
    double half;
    /* Let d be a capsule's radius in the neighbour list minus the largest distance of the curve from the capsule's axis: `room`
     * is the least d of all capsules of the group (m); negative: the group has no capsules */
    double room;
    double grown; /* increase of the radius of the group's capsules since the neighbour list was made (m) */
    double pose[CST_POSE];
} cst_group_was;

/* The radius (m) that the capsules of a group must have in the neighbour list, so that the list is certain to contain all pairs
 * of groups that touch. `here`: radius for pairs that touch at the start of the present step, the sum of the group's own
 * radius, its contact margin and the error of its predicted position. `step`: radius for pairs that touch at any time of the
 * present step; it is larger than `here` by the error of the group's predicted displacement. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

/* Times in units of the time for which the neighbour list was made, fitted to the motion of the groups (kept_pairs.c). `time`:
 * time since the list was made, in [-1, 1]. `pace`: duration of the present step. `step`: duration of the present step, limited
 * to the range from 0 to 1 - |time|. */
typedef struct cst_list_since {
    double time, step, pace;
} cst_list_since;

/* Computes the predicted displacement of a point of a group of capsules over all steps for which the neighbour list was made. The
 * point of the group is given by its share u in [0, 1] of the length of the group's curve. */
static inline void cst_group_way_at(const cst_group_was *was, double u, double *way)
{
    const double part = u * CST_QUARTERS;
    const int i = part < CST_QUARTERS - 1 ? (int)part : CST_QUARTERS - 1;
    for (int k = 0; k < 3; ++k)
        way[k] = was->way[i][k] + (part - i) * (was->way[i + 1][k] - was->way[i][k]);
}

/* Returns an upper bound for the radius that the capsules of a group must have in the neighbour list for the list to contain all
 * pairs that can touch. The upper bound for the radius is computed from the displacements of a few points of the group, and from
 * the largest difference between displacements of points of one capsule (was->half). Returns NaN if any displacement is NaN. */
cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past);

/* Computes exactly the radii (cst_list_need) for which cst_list_need_of gives upper bounds. The exact computation takes four
 * times as long as the upper bound; it is made only if the upper bound exceeds the radius of the capsules in the neighbour
 * list. */
cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past);

#endif
