/* Newton's linear system with the node velocities as unknowns. The system differs from the system of newton_bodies.h in that the
 * scaled matrix A' of the nodes (nodal_system.h) takes the place of the identity:
 *
 *     The matrix is K = A' + sum_i G_i^T M_i^-1 f_u G_i, where G_i couples contact i with its nodes, and M_i = f_r + rho f_u.
 *     The velocities change by ds = -K^-1 sum_i G_i^T M_i^-1 F_i, with the residual F_i of contact i and M_i = f_r + rho f_u.
 *     The impulse of contact i changes by dx_i = -M_i^-1 (F_i + f_u G_i ds), with its residual F_i and M_i = f_r + rho f_u.
 *
 * The sparsity pattern of the matrix K is that of A plus the pairs of nodes that belong to one contact. */
#ifndef CST_FRICTION_NEWTON_NODES_H
#define CST_FRICTION_NEWTON_NODES_H

#include "friction/nodal_system.h"
#include "sparse/block_lu.h"
#include "sparse/gmres.h"

typedef struct cst_newton_nodes {
    const cst_system *system;
    const cst_nodal_form *form;
    int64_t *row_start; /* (vertices + 1) rows of K */
    int32_t *column;
    double *block;
    int64_t *own;        /* (vertices) diagonal blocks of K */
    int64_t *given;      /* for each off-diagonal block of A, its position in the matrix K */
    int64_t *pair_start; /* (contacts + 1) */
    /* for each pair of vertices (nodes or groups of body states) of a contact, the position of its block in the matrix K, by row
     * and then by column */
    int64_t *pair;
    cst_block_lu lu;
    bool reuses;   /* K is solved by GMRES if an earlier K was factorised */
    bool factored; /* `lu` holds the factor of some matrix K of this problem */
    bool stale;    /* `lu` holds the factor of an earlier matrix K */
    double floor;  /* smallest pivot */
    cst_gmres gmres;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* (contacts x dim x dim) M^-1 */
    double *s;         /* (vertices x dim) */
} cst_newton_nodes;

/* Returns false if memory ran out. */
bool cst_newton_nodes_begin(cst_arena *arena, const cst_system *system, cst_newton_nodes *newton);

/* Builds the matrix K and factorises it. If a factorisation is expensive and an earlier matrix K of this problem was factorised, the
 * new matrix K is only built, and is solved by GMRES with the earlier factor as preconditioner (sparse/gmres.h). `f_r`, `f_u`:
 * derivatives (contacts x dim x dim) of the contact equations. `rho`: proximal weight, > 0. The array f_u must stay valid until the last solve. Pivots below `floor` are replaced by `floor`. */
void cst_newton_nodes_factor(cst_newton_nodes *newton, const double *f_r, const double *f_u, double rho, double floor);

/* Solves the Newton system with the right-hand side `residual` in place of -F, and adds the change of the impulses to `dx`. */
void cst_newton_nodes_solve(cst_newton_nodes *newton, const double *residual, double *dx);

#endif
