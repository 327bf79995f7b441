/* Newton's linear system with the bodies in it, for the product form: W is never formed.
 *
 * In the states s of the bodies (half.h), s = sum_i Z_i x_i and y_i = Z_i^T s + b_i, the step (ds, dx) of F(x) = 0 solves
 *
 *     [ I         -Z ] [ds]   [ 0 ]
 *     [ f_u Z^T    M ] [dx] = [-F ],      M = f_r + rho f_u  (one block per contact)
 *
 * which is A dv - H^T dr = 0 and its contacts in coordinates where A = I. Eliminating the bodies gives the reduced matrix
 * f_u (A + rho I) + f_r of newton_system.h; eliminating the contacts gives
 *
 *     K ds = -sum_i Z_i M_i^-1 F_i,   K = I + sum_i Z_i M_i^-1 f_u Z_i^T,   dx_i = -M_i^-1 (F_i + f_u Z_i^T ds)
 *
 * with as many unknowns as there are dofs, however many contacts there are. M is regular for rho > 0; sticking contacts come in
 * with 1 / rho, whose rounding one or two refinements in (s, x) make good. */
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
    int32_t *chunk_start; /* (bodies + 1) states in chunks of dim: the vertices of K's pattern */
    int64_t *row_start; /* (chunks + 1) a row holds, for each body that its body meets (itself first), all chunks of that body */
    int32_t *column;
    double *block;
    uint8_t *rank; /* (chunks) states in a chunk */
    int64_t *run;  /* (contacts x sides x sides) where, in the rows of the first half's body, the second half's body begins */
    cst_block_lu lu;
    const double *f_u; /* of the last factorisation */
    double *inverse;   /* (contacts x dim x dim) M^-1 */
    double *s;         /* states */
    double *right;     /* (chunks x dim) */
    double *line;      /* (states of the largest body) */
} cst_newton_bodies;

/* Whether a system can be solved this way: in product form, no body solved by callbacks. */
bool cst_newton_bodies_apply(const cst_system *system);

/* What a factorisation costs at least, in any order and without fill: much cheaper to find than the order is. Bodies of p_k states, of which
 * b_k meet it and are eliminated after it, cost 2/3 p_k^3 + 2 p_k b_k^2 and more each. The sum of p_k b_k is that of p_k p_l over all pairs
 * that meet, in any order, so that (Jensen) sum of p_k b_k^2 >= (sum of p_k b_k)^2 / sum of p_k. 0: out of memory. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* False: out of memory. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* K for f_r, f_u (contacts x dim x dim; f_u is kept) and rho > 0. Pivots below `floor` are replaced by it. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* M^-1 of one contact, M = f_r + rho f_u. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* dx += the solution for the right-hand side `residual` in place of -F. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
