/* The accelerated solver: proximal Gauss-Seidel with Anderson acceleration on the active contacts, in rounds of sweeps.
 *
 * At the start of a round of sweeps, the exact error of all contacts is computed. The contacts that have an impulse, or are about
 * to get one, form a sub-problem; in hair at rest these are about half of all contacts. The sub-problem of the active contacts is
 * copied to contiguous memory; in hair at rest, its matrix has about a quarter of the blocks of the whole matrix. The active
 * contacts are swept with Anderson acceleration until their error is a tenth of the error at the start of the round. If the
 * sweeps of a round do not reduce the error to a tenth of its initial value, Newton steps follow. Open contacts are not in the
 * sub-problem: in each round of sweeps, an open contact costs only one product with its row of the Delassus matrix. A contact
 * that becomes active (has an impulse or approaches) enters the sub-problem only in the next round of sweeps, so it does not
 * disturb the Anderson acceleration. */
#ifndef CST_FRICTION_ACCELERATE_H
#define CST_FRICTION_ACCELERATE_H

#include "friction/method.h"
#include "friction/sweep.h"

typedef struct cst_acceleration {
    cst_local_choice local;
    double proximal; /* initial eta */
    int memory;      /* Anderson memory; 0: none */
    bool newton;     /* use Newton steps */
} cst_acceleration;

typedef struct cst_accelerated_result {
    cst_method_result method;
    int newton_iterations;
    int laps;
} cst_accelerated_result;

/* `x` (contacts x dim): the impulses, initial guess on input and best iterate on output. */
cst_accelerated_result cst_accelerate(cst_system *system, const cst_method_settings *settings,
                                      const cst_acceleration *acceleration, cst_arena *arena, double *x);

#endif
