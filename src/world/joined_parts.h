/* What the groups of world/joined.h are made of: the rows of a constraint, and their parts on each member.
 *
 * A constraint has a part on the body of a, and one on the body of b if that is another. G is kept on the few dofs that it
 * touches, Z = A^-1 G^T on all dofs of the member. */
#ifndef CST_WORLD_JOINED_PARTS_H
#define CST_WORLD_JOINED_PARTS_H

#include "world/joined.h"

struct cst_joined_part {
    int32_t held; /* which constraint of the group */
    int32_t member;
    int32_t dofs; /* that the constraint touches on this member */
    int32_t *dof; /* (dofs) of the member, increasing */
    double *g;    /* (rows x dofs) G */
    double *z;    /* (rows x dofs of the member) Z^T */
};

struct cst_joined_rows {
    cst_constraint *constraint;
    int first, rows;          /* its rows among those of the group */
    int32_t member[2];        /* of a and b; -1: the world */
    cst_joined_part *part[2]; /* of a, and of b if that is another body */
    cst_point_motion motion[2];
    cst_constraint_row row[CST_CONSTRAINT_ROWS_MAX];
    /* At the start of the step: values, and rates of the velocities then. theta < 1 only. */
    double start[CST_CONSTRAINT_ROWS_MAX], start_rate[CST_CONSTRAINT_ROWS_MAX];
};

#endif
