/* The accelerated solver: proximal Gauss-Seidel with Anderson acceleration on the active contacts, in laps.
 *
 * A lap starts with one full sweep over all contacts. The contacts with an impulse afterwards (about half of them in hair at
 * rest) form a sub-problem, which is packed anew and has a quarter of the blocks. The sub-problem is swept with Anderson
 * acceleration until its error is a tenth of the lap's initial error; if sweeps do not reach this, Newton steps follow. Open
 * contacts therefore cost one visit per lap, and contacts that become active do not disturb the acceleration. */
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

/* `x`: initial guess in, best iterate out. */
cst_accelerated_result cst_accelerate(cst_system *system, const cst_method_settings *settings,
                                      const cst_acceleration *acceleration, cst_arena *arena, double *x);

#endif
