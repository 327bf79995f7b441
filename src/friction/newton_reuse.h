/* Newton's linear system of cloth, solved by GMRES (sparse/gmres.h) with the factors of an earlier Newton matrix as
 * preconditioner. From one Newton step to the next, only some contacts change between open, sticking and sliding. A factorisation
 * of Newton's matrix costs as much as 40 to 60 solves with its factors. Symbols:
 *     `dx`: change of the impulses.
 *     `W`: scaled Delassus matrix.
 *     `rho`: proximal weight.
 *     `F`: residuals of the contacts.
 *     `f_r`, `f_u`: derivatives of the residual of a contact by impulse and velocity.
 *     `J`, `J_0`: present Newton matrix, earlier Newton matrix.
 *
 * GMRES solves Newton's linear system J dx = -F for the changes dx of the impulses:
 *
 *     `J = f_r + f_u*(W+rho*I)`.
 *     `J*dx = -F`.
 *     `J*J_0^-1 = I + (J-J_0)*J_0^-1`.
 *
 * If the state of a contact (open, sticking or sliding) does not change, its rows of Newton's matrix hardly change. If the node
 * velocities were the unknowns (newton_nodes.h), each sticking contact would add a term inversely proportional to the proximal
 * weight rho to Newton's matrix. During Newton's method, the proximal weight changes by orders of magnitude, and the terms of
 * sticking contacts change with it. With the node velocities as unknowns, GMRES would therefore need several times as many
 * iterations as with the impulses. A solve with the earlier factors gives the impulse change dx and the velocity change W dx, so
 * a GMRES iteration needs only one solve. */
#ifndef CST_FRICTION_NEWTON_REUSE_H
#define CST_FRICTION_NEWTON_REUSE_H

#include "friction/newton_nodes.h"
#include "sparse/gmres.h"

typedef struct cst_newton_reuse {
    bool ready; /* true if memory is allocated */
    cst_newton_nodes *nodes;
    cst_gmres gmres;
    /* arrays (contacts x dim): impulse change of the last solve, and the velocity change that it causes */
    double *dx, *response;
    double tolerance; /* defect at which GMRES stops, as a share of the right-hand side */
    const double *f_r, *f_u;
    double rho;
} cst_newton_reuse;

/* Returns true if a factorisation of Newton's matrix is so expensive that its factors should be used again. */
bool cst_newton_reuse_pays(const cst_newton_nodes *nodes);

/* Returns false if memory ran out. */
bool cst_newton_reuse_begin(cst_arena *arena, const cst_newton_nodes *nodes, cst_newton_reuse *reuse);

/* Solves Newton's linear system by GMRES, with the factors nodes->lu as preconditioner. `x` (contacts x dim): right-hand side
 * of Newton's linear system on input, its solution on output. `f_r`, `f_u` (contacts x dim x dim): derivatives of the contact
 * residuals by impulse and velocity. `rho`: proximal weight. If GMRES converges too slowly, the function returns false and
 * leaves x unchanged. */
bool cst_newton_reuse_solve(cst_newton_reuse *reuse, cst_newton_nodes *nodes, const double *f_r, const double *f_u, double rho,
                            double *x);

#endif
