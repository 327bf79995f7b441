/* Gauss-Seidel sweeps with one projected step per contact, and momentum between sweeps:
 *
 *     y_i = b_i + sum_j A_ij x_j                                    (newest x_j),
 *     s_i <- s_i + omega (mu_i |y_T,i| - s_i)                       (De Saxce's correction, relaxed),
 *     x_i <- P_K,D(x_i - D_i^-1 (y_i + s_i e_N))                    (contact_metric.h).
 *
 * For omega > 0 a fixed point solves the Coulomb problem. For omega = 0, s is given, and the fixed point minimises 1/2 x.A x +
 * (b + s e_N).x over the cones. Contacts of one colour are not coupled, so the result does not depend on the number of
 * threads. */
#ifndef CST_FRICTION_PROJECTED_SWEEP_H
#define CST_FRICTION_PROJECTED_SWEEP_H

#include "friction/contact_metric.h"
#include "friction/momentum.h"

typedef struct cst_projected_sweep {
    cst_system *system;
    cst_contact_metric *metric; /* (n) */
    double *correction;         /* (n) s */
    double relaxation;          /* omega */
    cst_momentum momentum;
    double *x;      /* (n x dim) the iterate */
    double *before; /* the previous iterate */
    double *ahead;  /* z: the start of the next sweep */
    double *turn;   /* D (z - x), for the restart test */
    double met;     /* max_i weight_i |D_i dx_i| over the last sweep: an error estimate at no cost */
} cst_projected_sweep;

/* Returns false if memory ran out. */
bool cst_projected_sweep_begin(cst_projected_sweep *sweep, cst_system *system, double relaxation, cst_arena *arena);

/* Starts at x, with non-finite values replaced by zero: no momentum, s = mu |y_T| with y = A x + b, which is written to `y`. */
void cst_projected_sweep_start(cst_projected_sweep *sweep, double *x, double *y);

/* Does one sweep; sweep->x is the new iterate. */
void cst_projected_sweep_advance(cst_projected_sweep *sweep);

#endif
