/* Newton's linear system with the node velocities as unknowns. The matrix of this system is K of newton_bodies.h, with A' in
 * place of I. The equations are
 *
 *     K ds = sum_i G_i^T M_i^-1 (-F_i),   K = A' + sum_i G_i^T M_i^-1 f_u G_i,   dx_i = -M_i^-1 (F_i + f_u G_i ds).
 *
 * The system has the form of nodal_system.h. The sparsity of K is that of A plus the node pairs of the contacts. */
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
    int64_t *given;      /* positions in K of the off-diagonal blocks of A */
    int64_t *pair_start; /* (contacts + 1) */
    int64_t *pair;       /* positions in K of the pairs of vertices of a contact: first by row, then by column */
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* (contacts x dim x dim) M^-1 */
    double *s;         /* (vertices x dim) */
} cst_newton_nodes;

/* Returns false if memory ran out. */
bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton);

/* Builds and factorises K for f_r, f_u (contacts x dim x dim) and rho > 0. The array f_u must stay valid until the last solve.
 * Pivots below `floor` are replaced by `floor`. */
void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor);

/* Solves with the right-hand side `residual` in place of -F and adds the solution to `dx`. */
void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx);

#endif
