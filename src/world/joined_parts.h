/* Data of the groups of joined bodies (world/joined.h): the rows of each constraint, and the parts of these rows on each body
 * of the group.
 *
 * A constraint between two bodies has a part (`cst_joined_part`) on each of them; a constraint between a body and the world, or
 * within one body, has one part. Each part of a constraint stores the Jacobian of its rows for the few dofs that move the
 * constrained point. For each constraint row, the part on a body also stores the velocity change of all dofs of the body per
 * unit impulse of the row. */
#ifndef CST_WORLD_JOINED_PARTS_H
#define CST_WORLD_JOINED_PARTS_H

#include "world/joined.h"

struct cst_joined_part {
    int32_t held; /* index of its constraint */
    int32_t member;
    int32_t dofs; /* dofs that move the constrained point */
    int32_t *dof; /* array (dofs): of the member, increasing */
    double *g;    /* array (rows x dofs): G */
    double *z;    /* (rows x member dofs) Z^T */
};

struct cst_joined_rows {
    cst_constraint *constraint;
    int first, rows;          /* its rows in the group */
    int32_t member[2];        /* members; -1: the world */
    cst_joined_part *part[2]; /* parts on both bodies, or NULL */
    cst_point_motion motion[2];
    cst_constraint_row row[CST_CONSTRAINT_ROWS_MAX];
    /* Values of the constraint rows, and their time derivatives, at the start of the step. The time derivatives of constraint
     * rows are only used if the parameter theta of the time-stepping scheme is below 1. */
    double start[CST_CONSTRAINT_ROWS_MAX], start_rate[CST_CONSTRAINT_ROWS_MAX];
};

#endif
