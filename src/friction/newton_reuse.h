/* Newton's linear system of a sheet, solved by an iterative method. The preconditioner is the factorisation of an earlier Newton
 * matrix of the same friction problem. Between two Newton steps only some contacts change their state (open, sticking, sliding),
 * and a factorisation costs as much as 40 to 60 solves.
 *
 * GMRES (sparse/gmres.h) solves Newton's linear system for the change dx of the impulses, not for the velocities of the cloth
 * nodes. Let W be the scaled Delassus matrix and rho the proximal weight. Let F be the residuals of the contacts, with the
 * derivatives f_r by impulse and f_u by velocity. Let J be Newton's matrix, and J_0 the factorised matrix of an earlier Newton
 * step:
 *
 *     `J = f_r + f_u*(W+rho*I)`.
 *     `J*dx = -F`.
 *     `J*J_0^-1 = I + (J-J_0)*J_0^-1`.
 *
 * If a contact keeps its state (open, sticking or sliding), its rows of Newton's matrix change only by the change of the proximal
 * weight, which is small compared with the Delassus matrix.
 *
 * If the unknowns were the velocities of the cloth nodes (newton_nodes.h), sticking contacts would add terms to Newton's matrix
 * that are inversely proportional to the proximal weight. Terms inversely proportional to the proximal weight change by orders of
 * magnitude if a contact starts or stops sticking, or if the proximal weight falls with the error. With the velocities of the
 * cloth nodes as unknowns, GMRES would need several times as many iterations as with the impulses as unknowns. With the impulses
 * as unknowns, GMRES minimises the same defect of the linear system by which Newton's method accepts a solution. A solve with the
 * factors of an earlier Newton matrix gives both an impulse change dx and the velocity change W dx, so a GMRES iteration needs
 * only one solve. */
#ifndef CST_FRICTION_NEWTON_REUSE_H
#define CST_FRICTION_NEWTON_REUSE_H

#include "friction/newton_nodes.h"
#include "sparse/gmres.h"

typedef struct cst_newton_reuse {
    bool ready; /* memory is allocated */
    cst_newton_nodes *nodes;
    cst_gmres gmres;
    /* array (contacts x dim): impulse change found by the last solve, and the velocity change that it causes */
    double *dx, *response;
    double tolerance; /* defect at which GMRES stops, relative to the right-hand side */
    const double *f_r, *f_u;
    double rho;
} cst_newton_reuse;

/* Returns true if a factorisation of Newton's matrix is so expensive that its factors should be used again. */
bool cst_newton_reuse_pays(const cst_newton_nodes *nodes);

/* Returns false if memory ran out. */
bool cst_newton_reuse_begin(cst_arena *arena, const cst_newton_nodes *nodes, cst_newton_reuse *reuse);

/* Solves Newton's linear system by GMRES, with the LU factors in the struct `nodes` as preconditioner. `x` (contacts x dim):
 * right-hand side on input, solution on output. `f_r`, `f_u` (contacts x dim x dim): derivatives of the contact residuals by
 * impulse and velocity. `rho`: proximal weight. If GMRES converges too slowly, the function returns false and does not change
 * x. */
bool cst_newton_reuse_solve(cst_newton_reuse *reuse, cst_newton_nodes *nodes, const double *f_r, const double *f_u, double rho,
                            double *x);

#endif
