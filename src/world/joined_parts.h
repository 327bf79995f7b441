/* Data of the groups of world/joined.h: the rows of each constraint, and the parts of these rows on each member of the group.
 *
 * A constraint has a part on the body of a, and a second part if b is on another body. G is stored on the few dofs that the
 * constraint touches, Z = A^-1 G^T on all dofs of the member. */
#ifndef CST_WORLD_JOINED_PARTS_H
#define CST_WORLD_JOINED_PARTS_H

#include "world/joined.h"

struct cst_joined_part {
    int32_t held; /* index of the constraint in the group */
    int32_t member;
    int32_t dofs; /* dofs of this member that the constraint touches */
    int32_t *dof; /* (dofs) of the member, increasing */
    double *g;    /* (rows x dofs) G */
    double *z;    /* (rows x member dofs) Z^T */
};

struct cst_joined_rows {
    cst_constraint *constraint;
    int first, rows;          /* its rows in the group */
    int32_t member[2];        /* members; -1: the world */
    cst_joined_part *part[2]; /* parts on the body of a and on the body of b; NULL: no part */
    cst_point_motion motion[2];
    cst_constraint_row row[CST_CONSTRAINT_ROWS_MAX];
    /* Values of the constraint rows at the start of the step, and their rates with the velocities at the start. The rates are
     * only used with theta < 1. */
    double start[CST_CONSTRAINT_ROWS_MAX], start_rate[CST_CONSTRAINT_ROWS_MAX];
};

#endif
