/* Gauss-Seidel sweeps with one projected step per contact, and momentum between sweeps:
 *
 *     The velocity of contact i is y_i = b_i + sum_j A_ij x_j, with the newest impulses x_j.
 *     De Saxce's correction s_i follows mu_i |y_T,i| with the rate omega: s_i <- s_i + omega (mu_i |y_T,i| - s_i).
 *     The new impulse is x_i <- P_K,D(x_i - D_i^-1 (y_i + s_i e_N)), a projected step in the metric D (contact_metric.h).
 *
 * If the rate omega of De Saxce's correction s is positive, a fixed point solves the Coulomb problem. If omega is zero, the
 * correction s is given, and the fixed point minimises 1/2 x.A x + (b + s e_N).x over the cones. Contacts of one colour are not
 * coupled, so the result does not depend on the number of threads. */
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
    double *ahead;  /* start of the next sweep */
    double *turn;   /* D (z - x), for restarts */
    double met;     /* largest weighted step of a contact in its metric in the last sweep, which estimates the error at no cost */
} cst_projected_sweep;

/* Returns false if memory ran out. */
bool cst_projected_sweep_begin(cst_projected_sweep *sweep, cst_system *system, double relaxation, cst_arena *arena);

/* Starts the sweeps at x without momentum, and replaces non-finite values of x by zero. Writes the velocities y = A x + b to
 * `y`, and sets De Saxce's correction to mu |y_T|. */
void cst_projected_sweep_start(cst_projected_sweep *sweep, double *x, double *y);

/* Does one sweep; sweep->x is the new iterate. */
void cst_projected_sweep_advance(cst_projected_sweep *sweep);

#endif
