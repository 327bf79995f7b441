/* Newton's linear system of a sheet, solved with the factors of an earlier Newton matrix of the same friction problem as
 * preconditioner. Between two Newton steps only some contacts change their state (open, sticking, sliding), and a factorisation
 * costs as much as 40 to 60 solves.
 *
 * The system is solved by GMRES (sparse/gmres.h) for the impulses, not for the velocities of the nodes. With the scaled Delassus
 * matrix W, the derivatives f_r and f_u of the contact residuals by impulse and velocity, the proximal weight rho, the residuals F
 * and the matrix J_0 of the earlier Newton step, the system and its preconditioned matrix are
 *
 *     `J*dx = -F`, with `J = f_r + f_u*(W + rho)`.
 *     `J*J_0^-1 = 1 + (J - J_0)*J_0^-1`.
 *
 * A row of J - J_0 is zero for each contact whose derivatives did not change, apart from the change of rho, which is small compared
 * with W. In the system for the velocities of the nodes (newton_nodes.h) the terms of a sticking contact are in proportion to
 * 1 / rho; they change by orders of magnitude if a contact begins or ceases to stick or if rho falls with the error, and GMRES
 * needs several times as many iterations. Moreover GMRES here minimises the defect that Newton's method judges. A product with
 * J_0^-1 also gives the velocities W*dx, so an iteration needs no other solve. */
#ifndef CST_FRICTION_NEWTON_REUSE_H
#define CST_FRICTION_NEWTON_REUSE_H

#include "friction/newton_nodes.h"
#include "sparse/gmres.h"

typedef struct cst_newton_reuse {
    bool ready; /* memory is allocated */
    cst_newton_nodes *nodes;
    cst_gmres gmres;
    double *dx, *response; /* (contacts x dim) last product with J_0^-1; W times it */
    double tolerance;      /* defect at which GMRES stops, relative to the right-hand side */
    const double *f_r, *f_u;
    double rho;
} cst_newton_reuse;

/* Returns true if a factorisation of Newton's matrix is so expensive that its factors should be used again. */
bool cst_newton_reuse_pays(const cst_newton_nodes *nodes);

/* Returns false if memory ran out. */
bool cst_newton_reuse_begin(cst_arena *arena, const cst_newton_nodes *nodes, cst_newton_reuse *reuse);

/* Replaces the right-hand side `x` (contacts x dim) by the solution of J x = rhs, for the derivatives f_r and f_u (contacts x dim x
 * dim) and the proximal weight rho, with the factors in `nodes`. Returns false, with x unchanged, if GMRES converges too slowly. */
bool cst_newton_reuse_solve(cst_newton_reuse *reuse, cst_newton_nodes *nodes, const double *f_r, const double *f_u, double rho,
                            double *x);

#endif
