/* Newton's linear system with the nodes in it: K of newton_bodies.h with A' in place of I,
 *
 *     K ds = sum_i G_i^T M_i^-1 (-F_i),   K = A' + sum_i G_i^T M_i^-1 f_u G_i,   dx_i = -M_i^-1 (F_i + f_u G_i ds)
 *
 * for a system in the form of nodal_system.h. K is as sparse as A and the contacts are. */
#ifndef CST_FRICTION_NEWTON_NODES_H
#define CST_FRICTION_NEWTON_NODES_H

#include "friction/nodal_system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_nodes {
    const cst_system *system;
    const cst_nodal_form *form;
    int64_t *row_start; /* (vertices + 1) pattern of K, columns increasing */
    int32_t *column;
    double *block;
    int64_t *own;        /* (vertices) diagonal blocks of K */
    int64_t *given;      /* (blocks of A off the diagonal) where they are in K */
    int64_t *pair_start; /* (contacts + 1) */
    int64_t *pair;       /* where in K the pairs of vertices of a contact are: first by row, then by column */
    cst_block_lu lu;
    const double *f_u; /* of the last factorisation */
    double *inverse;   /* (contacts x dim x dim) M^-1 */
    double *s;         /* (vertices x dim) */
} cst_newton_nodes;

/* False: out of memory. */
bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton);

/* K for f_r, f_u (contacts x dim x dim; f_u is kept) and rho > 0. Pivots below `floor` are replaced by it. */
void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor);

/* dx += the solution for the right-hand side `residual` in place of -F. */
void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx);

#endif
