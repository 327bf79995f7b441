/* Rows of the constraint Jacobian G of a group of joined bodies (world/joined.h). A `cst_joined_part` contains the entries of the
 * rows of one constraint for the dofs of one body. A constraint between two bodies has two such parts (`cst_joined_part`); a
 * constraint between a body and the world, or between two points of the same body, has one. */
#ifndef CST_WORLD_JOINED_PARTS_H
#define CST_WORLD_JOINED_PARTS_H

#include "world/joined.h"

struct cst_joined_part {
    int32_t held; /* index of its constraint */
    int32_t member;
    int32_t dofs; /* dofs that move the constrained point */
    int32_t *dof; /* array (dofs): of the member, increasing */
    double *g;    /* array (rows x dofs): Jacobian G */
    /* array (rows x dofs of the body): rows of Z^T = G A^-1 (joined.h), with the constraint Jacobian G and the system matrix A of
     * the body */
    double *z;
};

struct cst_joined_rows {
    cst_constraint *constraint;
    int first, rows;          /* its rows in the group */
    int32_t member[2];        /* members; -1: the world */
    cst_joined_part *part[2]; /* parts on both bodies, or NULL */
    cst_point_motion motion[2];
    cst_constraint_row row[CST_CONSTRAINT_ROWS_MAX];
    /* position errors of the constraint, and their time derivatives, at the start of the step; the derivatives are only used in
     * the theta scheme with theta < 1 */
    double start[CST_CONSTRAINT_ROWS_MAX], start_rate[CST_CONSTRAINT_ROWS_MAX];
};

#endif
