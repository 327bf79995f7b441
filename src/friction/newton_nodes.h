/* Newton's linear system for cloth, with the node velocities as unknowns instead of the impulses. The equations are those of
 * newton_bodies.h, with the scaled nodal matrix A' (nodal_system.h) instead of the identity. Symbols:
 *     `s`: node velocities of cloth, and states L^-1 H^T r of all other bodies (nodal_system.h).
 *     `K`: Newton's matrix.
 *     `G_i`: derivative of the velocity of contact i with respect to the unknowns `s`.
 *     `x_i`, `F_i`: impulse and residual of contact i.
 *     `f_r`, `f_u`: derivatives of the residual F_i by impulse and velocity.
 *     `rho`: proximal weight.
 *
 * One Newton step:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = A' + sum_i G_i^T*M_i^-1*f_u*G_i`.
 *     `K*ds = -sum_i G_i^T*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*G_i*ds)`.
 *
 * Newton's matrix has the blocks of the body matrices, plus a block for each pair of nodes on which one contact acts. A vertex is
 * a cloth node or a group of dim unknowns of another body, and has one block row in Newton's matrix. */
#ifndef CST_FRICTION_NEWTON_NODES_H
#define CST_FRICTION_NEWTON_NODES_H

#include "friction/nodal_system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_nodes {
    const cst_system *system;
    const cst_nodal_form *form;
    /* array (vertices + 1): position of the first block of each row in the arrays `column` and `block` */
    int64_t *row_start;
    int32_t *column;
    double *block;
    int64_t *own; /* array (vertices): position of each diagonal block of Newton's matrix in the array `block` */
    /* for each off-diagonal block of the nodal matrix, its position in the array `block` */
    int64_t *given;
    int64_t *pair_start; /* (contacts + 1) */
    /* for each contact and each pair of block rows (p, q) on which it acts, the position of the block in row p and column q of
     * Newton's matrix in the array `block` */
    int64_t *pair;
    cst_block_lu lu;
    bool factored; /* true if `lu` holds the LU factors of a Newton matrix */
    /* array (contacts x dim x dim): derivatives f_u of the contact residuals by velocity, at the last factorisation */
    double *f_u;
    /* array (contacts x dim x dim): inverse of the matrix M_i = f_r + rho f_u of each contact i (f_r, f_u: derivatives of its
     * residual, rho: proximal weight) */
    double *inverse;
    double *s; /* (vertices x dim) */
} cst_newton_nodes;

/* Returns false if memory ran out. */
bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton);

/* Builds and factorises Newton's matrix. `f_r`, `f_u` (contacts x dim x dim): derivatives of the contact residuals by impulse and
 * velocity. `rho`: proximal weight, > 0. A pivot of magnitude at most `floor` is replaced by `floor` with the sign of the
 * pivot. */
void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor);

/* Solves the linear system of the last factorisation for the right-hand side `residual`, and adds the change of the impulses to
 * `dx`. `response` (contacts x dim), or NULL: output, the change of the contact velocities that the change of the impulses
 * causes. The change of the contact velocities, `response`, is computed from the change of the node velocities, without a product
 * with the Delassus matrix. */
void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx, double *response);

#endif
