/* Gauss-Seidel sweeps with one projected step per contact, and momentum between sweeps. Symbols:
 *     `x_i`: impulse of contact i.
 *     `y_i`, `b_i`: velocity, free velocity.
 *     `A_ij`: blocks, scaled Delassus matrix.
 *     `s_i`: De Saxce's correction.
 *     `D_i`: metric (contact_metric.h).
 *     `P_K`: projection on the friction cone.
 *
 * A visit of a contact uses the newest impulses; it moves De Saxce's correction s by the share omega towards mu |y_T|, and
 * projects the impulse on the friction cone:
 *
 *     `y_i = b_i+sum_j(A_ij*x_j)`.
 *     `s_i <- s_i+omega*(mu_i*|y_iT|-s_i)`.
 *     `x_i <- P_K(x_i-D_i^-1*(y_i+s_i*e_N))`.
 *
 * If the relaxation factor omega of De Saxce's correction is positive, a fixed point of the sweep solves the Coulomb problem. If
 * the relaxation factor omega is zero, De Saxce's correction s is constant, and a fixed point of the sweep solves a convex
 * problem over the friction cones:
 *
 *     `min x.A*x/2+(b+s*e_N).x`.
 *
 * Contacts of one colour are not coupled, so the result does not depend on the number of threads. */
#ifndef CST_FRICTION_PROJECTED_SWEEP_H
#define CST_FRICTION_PROJECTED_SWEEP_H

#include "friction/contact_metric.h"
#include "friction/momentum.h"

typedef struct cst_projected_sweep {
    cst_system *system;
    cst_contact_metric *metric; /* (n) */
    double *correction;         /* array (n): s */
    double relaxation;          /* omega */
    cst_momentum momentum;
    double *x;      /* array (n x dim): the iterate */
    double *before; /* the previous iterate */
    double *ahead;  /* start of the next sweep */
    double *turn;   /* D (z - x), for restarts */
    /* largest weighted impulse change of a contact in the last sweep; the change is measured in the metric D
     * (contact_metric.h) */
    double met;
} cst_projected_sweep;

/* Returns false if memory ran out. */
bool cst_projected_sweep_begin(cst_projected_sweep *sweep, cst_system *system, double relaxation, cst_arena *arena);

/* Starts the sweeps at the impulses x; the first sweep uses no momentum (extrapolation from earlier sweeps). Replaces non-finite
 * values of x by zero. Writes the contact velocities to `y`, and sets De Saxce's correction of each contact to its friction
 * coefficient times its tangential speed. */
void cst_projected_sweep_start(cst_projected_sweep *sweep, double *x, double *y);

/* Does one sweep; sweep->x is the new iterate. */
void cst_projected_sweep_advance(cst_projected_sweep *sweep);

#endif
