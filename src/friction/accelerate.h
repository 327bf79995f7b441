/* The accelerated driver: proximal Gauss-Seidel with Anderson acceleration on the contacts that are not open, in laps.
 *
 * A lap: one full sweep over all contacts; the contacts it leaves with an impulse (about half of them in hair at rest) make a
 * principal sub-problem, packed afresh (a quarter of the blocks); that one is swept with Anderson acceleration until its
 * error is a tenth of the lap's, and, when sweeps do not get there, by Newton steps; back to all contacts. Open contacts thus
 * cost one visit a lap, and acceleration is not disturbed by contacts that wake up in the middle of it. */
#ifndef CST_FRICTION_ACCELERATE_H
#define CST_FRICTION_ACCELERATE_H

#include "friction/method.h"
#include "friction/sweep.h"

typedef struct cst_acceleration {
    cst_local_choice local;
    double proximal; /* first eta */
    int memory;      /* Anderson; 0: none */
    bool newton;     /* occasional Newton steps */
} cst_acceleration;

typedef struct cst_accelerated_result {
    cst_method_result method;
    int newton_iterations;
    int laps;
} cst_accelerated_result;

/* x: first guess in, best iterate out. */
cst_accelerated_result cst_accelerate(cst_system *system, const cst_method_settings *settings,
                                      const cst_acceleration *acceleration, cst_arena *arena, double *x);

#endif
