/* Newton's linear system for problems whose Delassus matrix is never formed. The unknowns are the states L^-1 H^T r of the bodies
 * (L: Cholesky factor of a body, H: contact Jacobian, r: contact impulses; half.h). Symbols:
 *     `x_i`, `y_i`: impulse and velocity of contact i.
 *     `b_i`: free velocity of contact i.
 *     `Z_i = L^-1*H^T`: half solve (half.h).
 *     `F_i`: residual of contact i.
 *     `f_r`, `f_u`: derivatives of the residual F_i by impulse and velocity.
 *     `s`: states of the bodies.
 *     `rho`: proximal weight.
 *
 * The impulses determine the states s = L^-1 H^T r of the bodies (half.h), and the states determine the contact velocities:
 *
 *     `s = sum_i Z_i*x_i`.
 *     `y_i = Z_i^T*s + b_i`.
 *
 * In a Newton step, the momentum balance gives the change ds of the states of the bodies, and the linearised Coulomb law gives
 * the change dx_i of the impulse of contact i:
 *
 *     `ds = sum_i Z_i*dx_i`.
 *     `f_u*(Z_i^T*ds+rho*dx_i) + f_r*dx_i = -F_i`.
 *
 * Eliminating the change ds of the states would give the linear system for the impulses in newton_system.h. Eliminating the
 * changes dx_i of the impulses gives a linear system with the matrix K for the change ds of the states:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = I + sum_i Z_i*M_i^-1*f_u*Z_i^T`.
 *     `K*ds = -sum_i Z_i*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*Z_i^T*ds)`.
 *
 * Newton's matrix K has one row per dof of the bodies, and a few more because the states are padded, however many contacts there
 * are. The matrix M_i = f_r + rho f_u of a contact is regular if the proximal weight rho is positive (f_r, f_u: derivatives of
 * its residual). In Newton's matrix K, the terms of sticking contacts are inversely proportional to the proximal weight. One or
 * two steps of iterative refinement remove the rounding errors that large terms of sticking contacts cause. */
#ifndef CST_FRICTION_NEWTON_BODIES_H
#define CST_FRICTION_NEWTON_BODIES_H

#include "friction/half.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_bodies {
    const cst_system *system;
    int sides;            /* number of half solves per contact */
    const cst_half *half; /* array (contacts x sides) */
    const int64_t *state; /* array (bodies + 1): state starts */
    int bodies;
    /* array (bodies + 1): index of the first chunk of each body; a chunk is a group of at most dim unknowns of one body, and has
     * one block row in Newton's matrix */
    int32_t *chunk_start;
    /* array (chunks + 1): start of each block row of Newton's matrix in `column` and `block`. A block row of Newton's matrix
     * belongs to a group of dim unknowns of one body; it has one block for each such group of this body and of every body that
     * shares a contact with it. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* array (chunks): states per chunk */
    /* array (contacts x sides x sides): for each ordered pair (p, q) of bodies of a contact: in a block row of body p in Newton's
     * matrix, the number of blocks before the first block of body q. All block rows of a body have the same layout. */
    int64_t *run;
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    /* array (contacts x dim x dim): inverse of the matrix M_i = f_r + rho f_u of each contact i (f_r, f_u: derivatives of its
     * residual, rho: proximal weight) */
    double *inverse;
    double *s;     /* states of the bodies */
    double *right; /* array (chunks x dim) */
    double *line;  /* scratch, largest body */
} cst_newton_bodies;

/* Returns true if Newton's method can use the states L^-1 H^T r of the bodies (half.h) as unknowns: the Delassus matrix is not
 * formed, and no body is solved by a caller's function. */
bool cst_newton_bodies_apply(const cst_system *system);

/* Returns a lower bound of the flops of a factorisation of Newton's matrix. The lower bound of the flops of a factorisation
 * neglects fill, and holds for every elimination order. Returns 0 if memory ran out.
 *
 * Let p_k be the number of unknowns of body k. Let b_k be the number of unknowns of those bodies that share a contact with body k
 * and are eliminated later than body k. The elimination of body k takes at least this number of flops:
 *
 *     `2/3*p_k^3 + 2*p_k*b_k^2`.
 *
 * Jensen's inequality gives a lower bound of the sum of p_k b_k^2 over all bodies k (p_k: unknowns of body k, b_k: unknowns of
 * its neighbours that are eliminated later). The elimination order does not change the lower bound of the sum of p_k b_k^2,
 * because each pair (k,l) of neighbouring bodies enters the bound exactly once:
 *
 *     `sum_k(p_k*b_k^2) >= (sum_k p_k*b_k)^2 / sum_k(p_k)`.
 *     `sum_k(p_k*b_k) = sum_(k,l)(p_k*p_l)`. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises Newton's matrix with a positive proximal weight `rho`. `f_r`, `f_u` (contacts x dim x dim): derivatives
 * of the contact residuals by impulse and velocity. The array `f_u` must stay valid until the last call of
 * cst_newton_bodies_solve. A pivot of magnitude at most `floor` is replaced by `floor` with the sign of the pivot. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes the inverse of the matrix f_r + rho f_u of one contact, with the derivatives f_r by impulse and f_u by velocity of
 * its residual and the proximal weight rho. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves Newton's linear system for the right-hand side `residual` (-F_i for the first solve of a Newton step), and adds the
 * change of the impulses to `dx`. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
