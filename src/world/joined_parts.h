/* The rows of the constraints in a group of joined bodies (world/joined.h), and the part of the rows on each body. A
 * constraint between two bodies has a part (`cst_joined_part`) on each of them; a constraint with the world, or within one
 * body, has one part. */
#ifndef CST_WORLD_JOINED_PARTS_H
#define CST_WORLD_JOINED_PARTS_H

#include "world/joined.h"

struct cst_joined_part {
    int32_t held; /* index of its constraint */
    int32_t member;
    int32_t dofs; /* dofs that move the constrained point */
    int32_t *dof; /* array (dofs): of the member, increasing */
    double *g;    /* array (rows x dofs): Jacobian G */
    /* array (rows x dofs of the member): rows of Z^T = G A^-1 (joined.h), with the Jacobian G of the constraints and the member's
     * matrix A */
    double *z;
};

struct cst_joined_rows {
    cst_constraint *constraint;
    int first, rows;          /* its rows in the group */
    int32_t member[2];        /* members; -1: the world */
    cst_joined_part *part[2]; /* parts on both bodies, or NULL */
    cst_point_motion motion[2];
    cst_constraint_row row[CST_CONSTRAINT_ROWS_MAX];
    /* values of the constraint rows, and their rates, at the start of the step; the rates are only used in the theta scheme with
     * theta < 1 */
    double start[CST_CONSTRAINT_ROWS_MAX], start_rate[CST_CONSTRAINT_ROWS_MAX];
};

#endif
