/* Newton's linear system with the body states as unknowns. The product form uses the system with body states as unknowns,
 * because W is never formed.
 *
 * With the states s of the bodies (half.h), s = sum_i Z_i x_i and y_i = Z_i^T s + b_i. The step (ds, dx) of F(x) = 0 solves:
 *
 *     [ I         -Z ] [ds]   [ 0 ]
 *     [ f_u Z^T    M ] [dx] = [-F ],      M = f_r + rho f_u  (one block per contact).
 *
 * The two block rows are A dv - H^T dr = 0 and the contact equations, in coordinates where A = I. Eliminating the bodies gives
 * the reduced matrix f_u (A + rho I) + f_r of newton_system.h. Eliminating the contacts gives
 *
 *     K ds = -sum_i Z_i M_i^-1 F_i,   K = I + sum_i Z_i M_i^-1 f_u Z_i^T,   dx_i = -M_i^-1 (F_i + f_u Z_i^T ds).
 *
 * The number of unknowns is the number of dofs, however many contacts there are. M is regular for rho > 0. Sticking contacts
 * contribute terms of size 1 / rho; one or two refinements in (s, x) remove the rounding errors of these terms. */
#ifndef CST_FRICTION_NEWTON_BODIES_H
#define CST_FRICTION_NEWTON_BODIES_H

#include "friction/half.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_bodies {
    const cst_system *system;
    int sides;            /* as in cst_halves */
    const cst_half *half; /* (contacts x sides) */
    const int64_t *state; /* (bodies + 1) */
    int bodies;
    int32_t *chunk_start; /* (bodies + 1) index of the first chunk of each body; a chunk of dim states is a vertex of K */
    /* (chunks + 1) A row holds all chunks of each body that shares a contact with the row's body; its own body comes first. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* (chunks) number of states in a chunk */
    /* (contacts x sides x sides) where the body of the second half solve starts in the rows of the body of the first one */
    int64_t *run;
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* (contacts x dim x dim) M^-1 */
    double *s;         /* states */
    double *right;     /* (chunks x dim) */
    double *line;      /* (states of the largest body) scratch */
} cst_newton_bodies;

/* Returns true if Newton with body states applies: the system has product form, and no body is solved by callbacks. */
bool cst_newton_bodies_apply(const cst_system *system);

/* Returns a lower bound of the operations of a factorisation, for any elimination order and without fill. The lower bound is
 * much cheaper to compute than an elimination order. A body with p_k states, and with b_k states of neighbours that are
 * eliminated later, costs at least 2/3 p_k^3 + 2 p_k b_k^2. The sum of p_k b_k equals the sum of p_k p_l over all pairs of
 * neighbours, for any elimination order. By Jensen's inequality, sum of p_k b_k^2 >= (sum of p_k b_k)^2 / sum of p_k. Returns 0
 * if memory ran out. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises K for f_r, f_u (contacts x dim x dim) and rho > 0. The array f_u must stay valid until the last solve.
 * Pivots below `floor` are replaced by `floor`. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes M^-1 of one contact, M = f_r + rho f_u. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves with the right-hand side `residual` in place of -F and adds the solution to `dx`. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
