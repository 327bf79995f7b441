/* Nesterov's momentum with adaptive restart. Symbols:
 *     `x_k`: iterate.
 *     `z_k`: extrapolated point before the step.
 *     `beta`: momentum factor.
 *     `theta_k`: sequence of numbers.
 *
 * A step of an iterative method leads from the extrapolated point z_k to the iterate x_(k+1), which is then extrapolated with
 * the momentum factor beta:
 *
 *     `z_(k+1) = x_(k+1) + beta*(x_(k+1)-x_k)`.
 *     `theta_(k+1)^2 = (1-theta_(k+1))*theta_k^2`.
 *     `beta = theta_k*(1-theta_k) / (theta_k^2+theta_(k+1))`.
 *
 * The momentum restarts (beta = 0, theta = 1) if the step from the extrapolated point z_k to the iterate x_(k+1) points
 * against the motion of the iterates:
 *
 *     `(z_k-x_(k+1)).(x_(k+1)-x_k) > 0`.
 *
 * The gradient scheme of O'Donoghue and Candes 2015 has a similar restart condition, with the gradient in place of z_k -
 * x_(k+1). */
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

/* Returns the momentum factor beta of the next extrapolation. */
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
