/* Newton's linear system with the states of the bodies (half.h) as unknowns, for problems whose Delassus matrix is never
 * formed. Symbols:
 *     `x_i`, `y_i`: impulse and velocity of contact i.
 *     `b_i`: free velocity of contact i.
 *     `Z_i = L^-1*H^T`: half solve (half.h).
 *     `F_i`: residual of contact i.
 *     `f_r`, `f_u`: derivatives of the residual F_i by impulse and velocity.
 *     `s`: states of the bodies.
 *     `rho`: proximal weight.
 *
 * The impulses determine the states of the bodies, and the states determine the contact velocities:
 *
 *     `s = sum_i Z_i*x_i`.
 *     `y_i = Z_i^T*s + b_i`.
 *
 * Newton's step changes the states by ds, from the momentum balance, and the impulses by dx_i, from the linearised Coulomb law:
 *
 *     `ds = sum_i Z_i*dx_i`.
 *     `f_u*(Z_i^T*ds+rho*dx_i) + f_r*dx_i = -F_i`.
 *
 * Eliminating the states would give the linear system of newton_system.h. Eliminating the impulses gives the matrix K for the
 * change ds of the states:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = I + sum_i Z_i*M_i^-1*f_u*Z_i^T`.
 *     `K*ds = -sum_i Z_i*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*Z_i^T*ds)`.
 *
 * Newton's matrix K has one row per dof of the bodies, however many contacts there are. The matrix M_i = f_r + rho f_u of a
 * contact is regular if the proximal weight rho is positive (f_r, f_u: derivatives of its residual). Sticking contacts add
 * terms to Newton's matrix K that are inversely proportional to the proximal weight; one or two steps of iterative refinement
 * remove the rounding errors of these terms. */
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
    /* array (bodies + 1): first chunk of each body; a chunk is a group of dim states and a block row of Newton's matrix */
    int32_t *chunk_start;
    /* array (chunks + 1): start of each block row of Newton's matrix in `column` and `block`. A block row of Newton's matrix
     * has one block for each chunk of dim states of its own body and of the neighbouring bodies. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* array (chunks): states per chunk */
    /* array (contacts x sides x sides): for each ordered pair (p, q) of bodies of a contact, the position of the blocks for p
     * and q within the block rows of body p */
    int64_t *run;
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* array (contacts x dim x dim): inverse of the matrix M_i of each contact (symbols: top of this file) */
    double *s;         /* states of the bodies */
    double *right;     /* array (chunks x dim) */
    double *line;      /* scratch, largest body */
} cst_newton_bodies;

/* Returns true if the states of the bodies can be Newton's unknowns: the Delassus matrix is not formed, and no body is solved
 * by a caller's function. */
bool cst_newton_bodies_apply(const cst_system *system);

/* Returns a lower bound of the flops of a factorisation of Newton's matrix, without fill, for every elimination order. Returns
 * 0 if memory ran out.
 *
 * Let p_k be the number of states of body k, and b_k the number of states of those neighbours that are eliminated later. The
 * elimination of body k takes at least this number of flops:
 *
 *     `2/3*p_k^3 + 2*p_k*b_k^2`.
 *
 * Jensen's inequality gives a lower bound of the sum of these numbers. The bound does not depend on the elimination order,
 * because it contains each pair (k,l) of neighbouring bodies once:
 *
 *     `sum_k(p_k*b_k^2) >= (sum_k p_k*b_k)^2 / sum_k(p_k)`.
 *     `sum_k(p_k*b_k) = sum_(k,l)(p_k*p_l)`. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises Newton's matrix with a positive proximal weight `rho`. `f_r`, `f_u` (contacts x dim x dim):
 * derivatives of the contact residuals by impulse and velocity. The array `f_u` must stay valid until the last call of
 * cst_newton_bodies_solve. Pivots of the factorisation that are below `floor` are replaced by `floor`. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes the inverse of the matrix f_r + rho f_u of one contact, with the derivatives f_r by impulse and f_u by velocity of
 * its residual and the proximal weight rho. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves Newton's linear system for the contact residuals `residual`, and adds the change of the impulses to `dx`. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
