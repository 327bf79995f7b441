/* How fast De Saxce's correction follows the sliding velocity in methods with momentum.
 *
 * The correction makes the Coulomb problem differ from a convex one; following it at once is fastest where the two are close and
 * wanders where they are not; following it slowly is slow. Which one holds a method up cannot be told from outside, so whenever the
 * error has not halved for a while the pace is halved, and from the slowest pace it is back to the first. */
#ifndef CST_FRICTION_RELAXATION_H
#define CST_FRICTION_RELAXATION_H

#include <math.h>

typedef struct cst_relaxation {
    double omega;
    double first; /* omega to begin with, the largest */
    double mark;  /* best error when the patience began */
    int since;    /* iteration then */
} cst_relaxation;

static inline cst_relaxation cst_relaxation_begin(double omega)
{
    return (cst_relaxation){.omega = omega, .first = omega, .mark = HUGE_VAL};
}

/* omega to go on with. */
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
