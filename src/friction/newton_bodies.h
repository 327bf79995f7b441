/* Newton's linear system with the states of the bodies as unknowns, for problems in which the Delassus matrix W is never formed.
 *
 * Let x_i be the impulse of contact i, y_i its velocity, b_i its free velocity, Z_i = L^-1 H^T its half solve (half.h) and F_i
 * its residual. Let s be the states of the bodies. Let f_r and f_u be the derivatives of the residual by impulse and velocity,
 * and rho the proximal weight.
 *
 *     `s = sum_i Z_i*x_i`.
 *     `y_i = Z_i^T*s + b_i`.
 *
 * Newton's step changes the states of the bodies by ds and the impulse of contact i by dx_i:
 *
 *     `ds = sum_i Z_i*dx_i`.
 *     `f_u*(Z_i^T*ds+rho*dx_i) + f_r*dx_i = -F_i`.
 *
 * The equation for the change ds of the states is the momentum balance, in coordinates in which the matrix of every body is the
 * identity. The equation with the residual F_i linearises the Coulomb law of contact i. If the states of the bodies are
 * eliminated instead of the impulses, the result is the linear system of newton_system.h. Eliminating the impulses of the
 * contacts gives a linear system with the matrix K for the states of the bodies. Each contact i adds a term to Newton's matrix K
 * that contains the inverse of the small matrix M_i:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = I + sum_i Z_i*M_i^-1*f_u*Z_i^T`.
 *     `K*ds = -sum_i Z_i*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*Z_i^T*ds)`.
 *
 * The linear system for the states of the bodies has one unknown per dof, however many contacts there are. The matrix M_i = f_r +
 * rho f_u of a contact (f_r, f_u: derivatives of its residual by impulse and velocity) is regular if the proximal weight rho is
 * positive. Sticking contacts add terms to Newton's matrix that are inversely proportional to the proximal weight; one or two
 * steps of iterative refinement remove the rounding errors of these terms. */
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
    /* array (bodies + 1): index of the first chunk of each body; a chunk is a group of dim states and one block row of Newton's
     * matrix */
    int32_t *chunk_start;
    /* array (chunks + 1): index of the first block of each block row of Newton's matrix in the arrays `column` and `block`; a
     * chunk is a group of dim body states. A block row of Newton's matrix has one block for each group of dim states (chunk) of
     * its own body, and then one for each chunk of all bodies that share a contact with this body. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* array (chunks): states in each chunk */
    /* array (contacts x sides x sides): for each ordered pair (p, q) of bodies of a contact, the position, within each block
     * row of body p, at which the blocks that couple p to q begin */
    int64_t *run;
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* array (contacts x dim x dim): M^-1 */
    double *s;         /* states */
    double *right;     /* (chunks x dim) */
    double *line;      /* (states of the largest body) scratch */
} cst_newton_bodies;

/* Returns true if Newton's method can use the states y = L^-1 H^T r of the bodies as unknowns: the Delassus matrix is not formed,
 * and no body is solved by callbacks. */
bool cst_newton_bodies_apply(const cst_system *system);

/* Returns a lower bound of the number of operations that a factorisation of Newton's matrix takes. The bound holds for every
 * elimination order; it does not count fill. The elimination of body k takes at least 2/3 p_k^3 + 2 p_k b_k^2 operations, where
 * p_k is the number of its states, and b_k the number of states of its neighbours that are eliminated later. By Jensen's
 * inequality, the sum of p_k b_k^2 is at least (sum of p_k b_k)^2 / (sum of p_k), for any numbers b_k and positive numbers p_k.
 * The sum of p_k b_k is the same for every elimination order: each pair of neighbouring bodies k and l adds p_k p_l to it.
 * Returns 0 if memory ran out. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises Newton's matrix for the states L^-1 H^T r of the bodies, with the proximal weight rho > 0. The arrays
 * `f_r` and `f_u` (contacts x dim x dim) are the derivatives of the contact residuals by impulse and velocity. The array `f_u`
 * must stay valid until the last call of cst_newton_bodies_solve. Pivots below the given limit `floor` are replaced by
 * `floor`. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes the inverse of f_r + rho f_u for one contact, where f_r and f_u are the derivatives of its residual by impulse and
 * velocity, and rho is the proximal weight. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves Newton's linear system with the contact residuals `residual` on its right-hand side, and adds the resulting change of
 * the impulses to `dx`. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
