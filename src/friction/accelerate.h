/* The accelerated solver: rounds of proximal Gauss-Seidel sweeps with Anderson acceleration on the active contacts. A contact is
 * active if it is bilateral, has a normal impulse, or is about to get a normal impulse.
 *
 * At the start of a round, the exact error of all contacts is computed, and the active contacts are copied to a smaller problem.
 * The sweeps of a round end when they have reduced the error of the active contacts to a tenth or to 0.8 times the tolerance, or
 * after a fixed number of sweeps. If the sweeps do not reach this error, Newton steps follow, unless they cost too much. A round
 * can also consist of Newton steps alone (accelerate.c).
 *
 * In hair at rest, about half of all contacts are active; only about a quarter of the blocks of the Delassus matrix couple two
 * active contacts. An open contact costs only one product with its row of the Delassus matrix in each round. A contact that
 * becomes active during a round enters the problem of the active contacts only in the next round, so it does not disturb the
 * Anderson acceleration. */
#ifndef CST_FRICTION_ACCELERATE_H
#define CST_FRICTION_ACCELERATE_H

#include "friction/method.h"
#include "friction/sweep.h"

typedef struct cst_acceleration {
    cst_local_choice local;
    double proximal; /* initial proximal weight eta */
    int memory;      /* stored iterates, Anderson; 0: none */
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
