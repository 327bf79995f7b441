/* Newton's linear system with the states of the bodies (half.h) as unknowns, if the Delassus matrix is never formed. Symbols:
 *     `x_i`, `y_i`: impulse, velocity, contact i.
 *     `b_i`: free velocity of contact i.
 *     `Z_i = L^-1*H^T`: half solve (half.h).
 *     `F_i`: residual of contact i.
 *     `f_r`, `f_u`: its derivatives by impulse, velocity.
 *     `s`: states of the bodies.
 *     `rho`: proximal weight.
 *
 * The impulses determine the states of the bodies, and the states determine the contact velocities:
 *
 *     `s = sum_i Z_i*x_i`.
 *     `y_i = Z_i^T*s + b_i`.
 *
 * Newton's step changes the states by ds and the impulse of contact i by dx_i:
 *
 *     `ds = sum_i Z_i*dx_i`.
 *     `f_u*(Z_i^T*ds+rho*dx_i) + f_r*dx_i = -F_i`.
 *
 * The first equation is the momentum balance. The second equation linearises the Coulomb law of contact i. Eliminating the
 * states would give the linear system of newton_system.h; here the impulses are eliminated:
 *
 *     `M_i = f_r + rho*f_u`.
 *     `K = I + sum_i Z_i*M_i^-1*f_u*Z_i^T`.
 *     `K*ds = -sum_i Z_i*M_i^-1*F_i`.
 *     `dx_i = -M_i^-1*(F_i + f_u*Z_i^T*ds)`.
 *
 * The matrix K has one row per dof, however many contacts there are. The small matrix M_i of each contact is regular if the
 * proximal weight rho is positive. Sticking contacts add terms proportional to 1 / rho to the matrix K; one or two steps of
 * iterative refinement remove their rounding errors. */
#ifndef CST_FRICTION_NEWTON_BODIES_H
#define CST_FRICTION_NEWTON_BODIES_H

#include "friction/half.h"
#include "friction/system.h"
#include "sparse/block_lu.h"

typedef struct cst_newton_bodies {
    const cst_system *system;
    int sides;            /* number of half solves per contact */
    const cst_half *half; /* array (contacts x sides): half solves L^-1 H^T */
    const int64_t *state; /* array (bodies + 1): start of the state of each body */
    int bodies;
    /* array (bodies + 1): index of the first chunk of each body. A chunk is a group of dim states, and one block row of
     * Newton's matrix. */
    int32_t *chunk_start;
    /* array (chunks + 1): start of each block row of Newton's matrix in the arrays `column` and `block`. A block row has one
     * block for each chunk of its own body, and then one for each chunk of the neighbouring bodies. */
    int64_t *row_start;
    int32_t *column;
    double *block;
    uint8_t *rank; /* array (chunks): number of states in each chunk */
    /* array (contacts x sides x sides): for each ordered pair (p, q) of bodies of a contact, the position of the blocks that
     * couple body p to body q, counted from the start of each block row of body p */
    int64_t *run;
    cst_block_lu lu;
    const double *f_u; /* f_u of the last factorisation */
    double *inverse;   /* array (contacts x dim x dim): inverse of M_i */
    double *s;         /* states of the bodies */
    double *right;     /* array (chunks x dim): right-hand side and solution */
    double *line;      /* scratch, for the states of the largest body */
} cst_newton_bodies;

/* Returns true if Newton's method can use the states of the bodies as unknowns: the Delassus matrix is not formed, and no body
 * is solved by a caller's function. */
bool cst_newton_bodies_apply(const cst_system *system);

/* Returns a lower bound of the flops of a factorisation of Newton's matrix, for every elimination order; fill is not counted.
 * Symbols:
 *     `p_k`: number of states of body k.
 *     `b_k`: states of its neighbours eliminated later.
 *
 * Eliminating body k takes at least 2/3 p_k^3 + 2 p_k b_k^2 flops. By Jensen's inequality, the sum of p_k b_k^2 is at least
 * (sum p_k b_k)^2 / (sum p_k). The sum of p_k b_k does not depend on the elimination order, because each pair of neighbouring
 * bodies k and l adds p_k p_l. Returns 0 if memory ran out. */
double cst_newton_bodies_least_flops(cst_arena *arena, const cst_system *system);

/* Returns false if memory ran out. */
bool cst_newton_bodies_begin(cst_arena *arena, const cst_system *system, cst_newton_bodies *bodies);

/* Builds and factorises Newton's matrix K with the proximal weight rho > 0. `f_r`, `f_u` (contacts x dim x dim): derivatives of
 * the contact residuals by impulse and velocity; `f_u` must stay valid until the last call of cst_newton_bodies_solve. Pivots
 * below `floor` are replaced by `floor`. */
void cst_newton_bodies_factor(cst_newton_bodies *bodies, const double *f_r, const double *f_u, double rho, double floor);

/* Computes the inverse of f_r + rho f_u for one contact. `f_r`, `f_u`: derivatives of its residual by impulse and velocity.
 * `rho`: proximal weight. */
void cst_newton_invert(int dim, const double *f_r, const double *f_u, double rho, double *inverse);

/* Solves Newton's linear system with the contact residuals `residual` as right-hand side, and adds the solution to `dx`, the
 * change of the impulses. */
void cst_newton_bodies_solve(cst_newton_bodies *bodies, const double *residual, double *dx);

#endif
