/* The relaxation factor omega of De Saxce's correction, for methods with momentum. Each iteration moves De Saxce's correction of
 * a contact by the share omega towards the friction coefficient times the sliding speed.
 *
 * With a constant De Saxce correction, the Coulomb problem would be a convex problem. With a large relaxation factor omega, the
 * iteration converges fast if the Coulomb problem is close to a convex problem; otherwise it can fail to converge. With a small
 * relaxation factor omega, the iteration converges, but always slowly. The error does not show whether the relaxation factor
 * omega is too large or too small. The relaxation factor omega is halved whenever the error has not halved in 500 iterations.
 * Instead of falling below a sixteenth of its first value, the relaxation factor omega returns to its first value. */
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

/* Returns the relaxation factor omega for the next iterations. */
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
