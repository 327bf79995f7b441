/* Relaxation factor omega of De Saxce's correction, for methods with momentum. In each iteration, De Saxce's correction of a
 * contact moves towards the friction coefficient times the sliding speed, by the fraction omega of the difference.
 *
 * With a constant De Saxce correction, the Coulomb problem would be convex. With a large relaxation factor, the iteration
 * converges fast if the problem is almost convex, but can fail to converge otherwise. With a small relaxation factor, the
 * iteration converges slowly. The error of the iterates does not show whether the relaxation factor is too large or too small.
 * Rule: the relaxation factor is halved whenever the smallest error of all iterates has not halved in 500 iterations. If a
 * halving would make the relaxation factor smaller than a sixteenth of its first value, the relaxation factor is reset to its
 * first value instead. */
#ifndef CST_FRICTION_RELAXATION_H
#define CST_FRICTION_RELAXATION_H

#include <math.h>

typedef struct cst_relaxation {
    double omega;
    double first; /* first and largest value of omega */
    double mark;  /* error when it last halved */
    int since;    /* iteration at which the error last halved or omega last changed */
} cst_relaxation;

static inline cst_relaxation cst_relaxation_begin(double omega)
{
    return (cst_relaxation){.omega = omega, .first = omega, .mark = HUGE_VAL};
}

/* Returns omega for the next iterations. */
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
