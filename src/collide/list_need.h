/* Deviation of a group of capsules from the position that a list of pairs expects: m and e of kept_pairs.h. */
#ifndef CST_COLLIDE_LIST_NEED_H
#define CST_COLLIDE_LIST_NEED_H

#include "collide/shape_space.h"

/* Position of a group and its displacement in the step. */
typedef struct cst_group_course {
    const double *at[CST_QUARTERS + 1]; /* ends of the group, and points between them in equal parts of its length */
    const cst_piece_way *way;
    double reach; /* m: radius and margin; negative: no group */
    double sag;   /* m: largest distance of the group's curve from its chord */
} cst_group_course;

/* Data of a group when the list was made. */
typedef struct cst_group_was {
    double at[CST_QUARTERS + 1][3];
    double way[CST_QUARTERS + 1][3]; /* displacements of the points `at` over all steps of the list, linear between them */
    int32_t count;                   /* of its capsules */
    double half;                     /* m: largest difference between the displacement and its value in the middle of a capsule */
    double room;                     /* least rho + delta - wide (kept_pairs.h) over the group's capsules; negative: no group */
    double pose[CST_POSE];
} cst_group_was;

/* The share of the list's room that a group needs in a query: for its position, rho' + m; for its step, n of kept_pairs.h. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

/* Motion since the list was made: f and g of kept_pairs.h. */
typedef struct cst_list_since {
    double time, step;
} cst_list_since;

/* Computes the displacement over all steps at the share u of a group's length. */
static inline void cst_group_way_at(const cst_group_was *was, double u, double *way)
{
    const double part = u * CST_QUARTERS;
    const int i = part < CST_QUARTERS - 1 ? (int)part : CST_QUARTERS - 1;
    for (int k = 0; k < 3; ++k)
        way[k] = was->way[i][k] + (part - i) * (was->way[i + 1][k] - was->way[i][k]);
}

/* Returns an upper bound for the need, from the displacements at points and `half`, the largest deviation within a capsule.
 * Returns NaN if any displacement is NaN. */
cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past);

/* Returns the exact need. cst_list_need_exactly takes four times as long as cst_list_need_of and is used if the bound of
 * cst_list_need_of is too large. */
cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past);

#endif
