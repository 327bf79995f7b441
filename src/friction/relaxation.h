/* The rate at which methods with momentum move De Saxce's correction towards the friction coefficient times the sliding speed.
 *
 * With a constant De Saxce correction, the Coulomb problem would be a convex problem. With a high rate of De Saxce's correction,
 * a method converges fast if the Coulomb problem is close to a convex problem, and may not converge otherwise. With a low rate of
 * De Saxce's correction, a method converges, but always slowly. Whether slow convergence is caused by a rate of De Saxce's
 * correction that is too high or too low cannot be determined from the error. The rate of De Saxce's correction is halved
 * whenever the error has not halved in 500 iterations. After its lowest value, the rate of De Saxce's correction returns to its
 * first value. */
#ifndef CST_FRICTION_RELAXATION_H
#define CST_FRICTION_RELAXATION_H

#include <math.h>

typedef struct cst_relaxation {
    double omega;
    double first; /* initial omega, the largest */
    double mark;  /* best error at its last halving */
    int since;    /* iteration of the last change */
} cst_relaxation;

static inline cst_relaxation cst_relaxation_begin(double omega)
{
    return (cst_relaxation){.omega = omega, .first = omega, .mark = HUGE_VAL};
}

/* Returns the rate of De Saxce's correction for the next iterations. */
static inline double cst_relaxation_after(cst_relaxation *relaxation, int iterations, double best_error)
{
    enum { PATIENCE = 500 };
    const double slowest = relaxation->first / 16.0;
    if (best_error <= 0.5 * relaxation->mark) {
        relaxation->mark = best_error;
        relaxation->since = iterations;
    } else if (iterations - relaxation->since >= PATIENCE) {
        relaxation->since = iterations;
        relaxation->omega = relaxation->omega > slowest ? 0.5 * relaxation->omega : relaxation->first;
    }
    return relaxation->omega;
}

#endif
