/* How far a group of capsules is from where a list of pairs expects it: m and e of kept_pairs.h. */
#ifndef CST_COLLIDE_LIST_NEED_H
#define CST_COLLIDE_LIST_NEED_H

#include "collide/shape_space.h"

/* Where a group is and where it goes in the step. */
typedef struct cst_group_course {
    const double *at[CST_QUARTERS + 1]; /* its ends, and points between them in equal parts of its length */
    const cst_piece_way *way;
    double reach; /* m: radius and margin; negative: there is none */
    double sag;   /* m: its curve is no farther from the chord */
} cst_group_course;

/* A group when the list was made. */
typedef struct cst_group_was {
    double at[CST_QUARTERS + 1][3];
    double way[CST_QUARTERS + 1][3]; /* of all steps, at these points, and linear between them */
    int32_t count;                   /* of its capsules */
    double half;                     /* m: most by which the way differs from its value in the middle of a capsule */
    double room;                     /* rho + delta - wide, the least of its capsules; negative: there was none */
    double pose[CST_POSE];
} cst_group_was;

/* What a group needs of the room of the list, of a question: where it is, rho' + m; in its step, n of kept_pairs.h. */
typedef struct cst_list_need {
    double here, step;
} cst_list_need;

/* Motion since the list was made: f and g of kept_pairs.h. */
typedef struct cst_list_since {
    double time, step;
} cst_list_since;

/* The way of all steps at the share u of its length. */
static inline void cst_group_way_at(const cst_group_was *was, double u, double *way)
{
    const double part = u * CST_QUARTERS;
    const int i = part < CST_QUARTERS - 1 ? (int)part : CST_QUARTERS - 1;
    for (int k = 0; k < 3; ++k)
        way[k] = was->way[i][k] + (part - i) * (was->way[i + 1][k] - was->way[i][k]);
}

/* That or a little more: from the ways at points, and `half`, by which those of capsules differ. Not a number if any of the ways is not. */
cst_list_need cst_list_need_of(const cst_group_course *is, const cst_group_was *was, double drift, const cst_list_since *past);

/* Just that: for those for whom the other is too much, for it takes four times as long. */
cst_list_need cst_list_need_exactly(const cst_group_course *is, const cst_group_was *was, double drift,
                                    const cst_list_since *past);

#endif
