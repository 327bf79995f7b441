/* Newton's linear system with the body states as unknowns. The product form, in which W is never formed, uses the states of the
 * bodies as unknowns of Newton's linear system.
 *
 * With the half solves Z_i (half.h), the states of the bodies are s = sum_i Z_i x_i, and the contact velocities are y_i = Z_i^T
 * s + b_i. The Newton step (ds, dx) for the contact equations F(x) = 0 solves two sets of equations:
 *
 *     The states of the bodies change by ds = sum_i Z_i dx_i, with the half solves Z_i and the impulse changes dx_i.
 *     The equation f_u (Z_i^T ds + rho dx_i) + f_r dx_i = -F_i linearises the Coulomb law of contact i with the residual F_i.
 *
 * The equation for the states is the momentum balance A dv - H^T dr = 0 in coordinates in which A is the identity. Eliminating
 * the states of the bodies gives the system of newton_system.h, with the matrix f_u (A + rho I) + f_r. Eliminating the impulses
 * of the contacts gives a linear system for the states of the bodies:
 *
 *     The matrix is K = I + sum_i Z_i M_i^-1 f_u Z_i^T, with the half solves Z_i and the small matrices M_i = f_r + rho f_u.
 *     The states change by ds = -K^-1 sum_i Z_i M_i^-1 F_i, where F_i is the residual of contact i and M_i = f_r + rho f_u.
 *     The impulse of contact i changes by dx_i = -M_i^-1 (F_i + f_u Z_i^T ds), with its residual F_i and M_i = f_r + rho f_u.
 *
 * The linear system for the states of the bodies has as many unknowns as dofs, however many contacts there are. The small matrix
 * M_i = f_r + rho f_u of a contact is regular for rho > 0. Sticking contacts contribute terms of size 1 / rho to the matrix K;
 * one or two steps of iterative refinement remove the rounding errors of these terms. */
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
    /* (bodies + 1) index of the first chunk of each body; a chunk of dim states is one block row of the matrix K */
    int32_t *chunk_start;
    /* (chunks + 1) start of each block row of the matrix K. A block row holds the chunks (groups of dim states) of its own body,
     * and then the chunks of all bodies that share a contact with this body. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* (chunks) states in each chunk */
    /* (contacts x sides x sides) for two half solves of a contact, the position of the second body in the block rows of the
     * first body */
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

/* Returns a lower bound of the operations of a factorisation, for any elimination order and without fill. This lower bound of
 * the operations is much cheaper to compute than an elimination order. The elimination of body k, which has p_k states and whose
 * neighbours that are eliminated later have b_k states, takes at least 2/3 p_k^3 + 2 p_k b_k^2 operations. For any elimination
 * order, the sum of p_k b_k over all bodies k, with p_k states of body k and b_k states of its later neighbours, equals the sum
 * of p_k p_l over all pairs of neighbouring bodies k and l. By Jensen's inequality, the sum of p_k b_k^2 is at least (sum of p_k
 * b_k)^2 / (sum of p_k), where body k has p_k states and its later neighbours have b_k states. Returns 0 if memory ran out. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises the matrix K, for the derivatives f_r and f_u (contacts x dim x dim) of the contact equations and the
 * proximal weight rho > 0. The array f_u must stay valid until the last solve. Pivots below `floor` are replaced by `floor`. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes the inverse of the small matrix M = f_r + rho f_u of one contact. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves the Newton system with the right-hand side `residual` in place of -F, and adds the change of the impulses to `dx`. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
