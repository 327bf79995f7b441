/* Nesterov's momentum with adaptive restart, for an iteration that maps an extrapolated point z_k to the next iterate x_k+1. The
 * next extrapolated point follows from the last two iterates, a factor beta and a sequence of numbers theta_k:
 *
 *     `z_(k+1) = x_(k+1) + beta*(x_(k+1)-x_k)`.
 *     `theta_(k+1)^2 = (1-theta_(k+1))*theta_k^2`.
 *     `beta = theta_k*(1-theta_k) / (theta_k^2+theta_(k+1))`.
 *
 * The momentum restarts (factor beta = 0, number theta = 1) if the step from z_k to x_k+1 points against the motion from x_k to
 * x_k+1:
 *
 *     `(z_k-x_(k+1)).(x_(k+1)-x_k) > 0`.
 *
 * The restart is the gradient scheme of O'Donoghue and Candes 2015, with the difference between the extrapolated point and the
 * next iterate in place of the gradient. */
#ifndef CST_FRICTION_MOMENTUM_H
#define CST_FRICTION_MOMENTUM_H

#include <math.h>
#include <stdbool.h>

typedef struct cst_momentum {
    double theta;
} cst_momentum;

static inline cst_momentum cst_momentum_none(void)
{
    return (cst_momentum){.theta = 1.0};
}

/* Returns beta of the last step. */
static inline double cst_momentum_next(cst_momentum *momentum, bool restart)
{
    if (restart) {
        momentum->theta = 1.0;
        return 0.0;
    }
    const double square = momentum->theta * momentum->theta;
    const double next = 0.5 * (sqrt(square * square + 4.0 * square) - square);
    const double beta = momentum->theta * (1.0 - momentum->theta) / (square + next);
    momentum->theta = next;
    return beta;
}

#endif
