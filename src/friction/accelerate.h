/* The accelerated solver: rounds of proximal Gauss-Seidel sweeps with Anderson acceleration on the active contacts.
 *
 * A contact is active if it has an impulse or is about to get one. Each round has three parts:
 *
 *     1. The exact error of all contacts is computed.
 *     2. The active contacts are copied to a smaller problem.
 *     3. Sweeps reduce the error of the active contacts to a tenth; if they fail, Newton steps follow.
 *
 * In hair at rest, the active contacts are about half of all contacts, and have about a quarter of the blocks of the Delassus
 * matrix. In each round, an open contact costs only one product with its row of the Delassus matrix. A contact that becomes
 * active enters the smaller problem in the next round, so it does not disturb the Anderson acceleration. */
#ifndef CST_FRICTION_ACCELERATE_H
#define CST_FRICTION_ACCELERATE_H

#include "friction/method.h"
#include "friction/sweep.h"

typedef struct cst_acceleration {
    cst_local_choice local;
    double proximal; /* initial proximal weight eta of the sweeps */
    int memory;      /* number of past iterates of the Anderson acceleration; 0: none */
    bool newton;     /* true: Newton steps are allowed */
} cst_acceleration;

typedef struct cst_accelerated_result {
    cst_method_result method;
    int newton_iterations;
    int laps;
} cst_accelerated_result;

/* `x` (contacts x dim): impulses; initial guess on input, best iterate on output. */
cst_accelerated_result cst_accelerate(cst_system *system, const cst_method_settings *settings,
                                      const cst_acceleration *acceleration, cst_arena *arena, double *x);

#endif
