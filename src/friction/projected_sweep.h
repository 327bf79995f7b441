/* Gauss-Seidel sweeps with one projected step per contact, and momentum between the sweeps. Symbols:
 *     `x_i`: impulse of contact i.
 *     `y_i`, `b_i`: velocity and free velocity of contact i.
 *     `A_ij`: block of the scaled Delassus matrix for the contacts i and j.
 *     `mu_i`: friction coefficient.
 *     `s_i`: De Saxce's correction.
 *     `omega`: relaxation factor of De Saxce's correction (relaxation.h).
 *     `D_i`: metric, a positive diagonal matrix for contact i (contact_metric.h).
 *     `P_K`: projection on the friction cone of contact i, orthogonal with respect to the metric D_i.
 *
 * The sweep visits one contact after another and always uses the newest impulses. A visit changes De Saxce's correction and the
 * impulse of the contact:
 *
 *     `y_i = b_i+sum_j(A_ij*x_j)`.
 *     `s_i <- s_i+omega*(mu_i*|y_iT|-s_i)`.
 *     `x_i <- P_K(x_i-D_i^-1*(y_i+s_i*e_N))`.
 *
 * If the relaxation factor omega is positive, a fixed point of the sweep solves the Coulomb problem. If omega is zero, De Saxce's
 * correction s is constant. With a constant correction s, a fixed point of the sweep minimises a convex quadratic function of the
 * impulses x over the friction cones (A: scaled Delassus matrix, b: free velocities, e_N: normal unit vectors):
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
    cst_contact_metric *metric; /* array (n): D */
    double *correction;         /* array (n): De Saxce's correction s */
    double relaxation;          /* omega */
    cst_momentum momentum;
    double *x;      /* array (n x dim): newest impulses */
    double *before; /* array (n x dim): impulses before the sweep; after the sweep, their change */
    double *ahead;  /* array (n x dim): extrapolated impulses */
    /* array (n x dim): the extrapolated minus the newest impulses, multiplied by the metric D (contact_metric.h); used to decide
     * whether the momentum is restarted */
    double *turn;
    /* largest weighted step of a contact in the last sweep: the contact's weight (system.h) times |D d|, with its impulse change
     * d and the metric D */
    double met;
} cst_projected_sweep;

/* Returns false if memory ran out. */
bool cst_projected_sweep_begin(cst_projected_sweep *sweep, cst_system *system, double relaxation, cst_arena *arena);

/* Prepares the first sweep, which starts from the impulses x without momentum. Replaces non-finite impulses by zero. Writes the
 * contact velocities to `y`. Sets De Saxce's correction of each contact to the friction coefficient times the sliding speed (0
 * for a bilateral contact). */
void cst_projected_sweep_start(cst_projected_sweep *sweep, double *x, double *y);

/* Does one sweep; sweep->x holds the newest impulses. */
void cst_projected_sweep_advance(cst_projected_sweep *sweep);

#endif
