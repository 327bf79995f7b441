/* Newton's linear system for cloth, with the node velocities as unknowns. The equations of a Newton step are those of
 * newton_bodies.h, with the scaled matrix A' of the cloth nodes (nodal_system.h) instead of the identity. Let K be Newton's
 * matrix, s the unknowns of cloth nodes and other bodies, G_i the matrix that couples contact i with s, and rho the proximal
 * weight. Let x_i be the impulse of contact i, F_i its residual, and f_r and f_u the derivatives of F_i by impulse and velocity:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = A' + sum_i G_i^T*M_i^-1*f_u*G_i`.
 *     `K*ds = -sum_i G_i^T*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*G_i*ds)`.
 *
 * Newton's matrix has the blocks of the matrices of the bodies, plus a block for each pair of nodes on which the same contact
 * acts. */
#ifndef CST_FRICTION_NEWTON_NODES_H
#define CST_FRICTION_NEWTON_NODES_H

#include "friction/nodal_system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_nodes {
    const cst_system *system;
    const cst_nodal_form *form;
    /* array (vertices + 1): position of the first block of each row of Newton's matrix K in the arrays `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;
    int64_t *own; /* array (vertices): diagonal blocks of K */
    /* for each off-diagonal block of the matrix of the nodes, the position of the same block in Newton's matrix */
    int64_t *given;
    int64_t *pair_start; /* (contacts + 1) */
    /* for each pair of vertices (nodes, or groups of body states) on which a contact acts, the position of the pair's block in
     * Newton's matrix */
    int64_t *pair;
    cst_block_lu lu;
    bool factored; /* true if the field `lu` holds the LU factors of a Newton matrix */
    double *f_u;   /* array (contacts x dim x dim): derivatives of the contact residuals by velocity, at the last factorisation */
    double *inverse; /* array (contacts x dim x dim): M^-1 */
    double *s;       /* (vertices x dim) */
} cst_newton_nodes;

/* Returns false if memory ran out. */
bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton);

/* Builds Newton's matrix and factorises it. `f_r`, `f_u` (contacts x dim x dim): derivatives of the contact residuals by impulse
 * and velocity. `rho`: proximal weight, > 0. Pivots below the given limit `floor` are replaced by `floor`. */
void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor);

/* Solves the linear system of the last factorisation with the right-hand side `residual`, and adds the resulting change of the
 * impulses to `dx`. `response` (contacts x dim; may be NULL): output, the changes of the contact velocities that the change of
 * the impulses causes. The changes of the contact velocities are as accurate as the factorisation, because the solution of
 * Newton's linear system satisfies the momentum balance of the cloth nodes. */
void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx, double *response);

#endif
