/* What every global method on a cst_system is told and tells back. */
#ifndef CST_FRICTION_METHOD_H
#define CST_FRICTION_METHOD_H

#include "friction/system.h"

typedef struct cst_method_settings {
    double tolerance;        /* on cst_system_error */
    bool fischer_burmeister; /* which measure cst_system_error takes */
    int max_iterations;
    bool (*keep_going)(void *user, int iterations, double error); /* NULL: always. Called between iterations; false: stop */
    void *user;
} cst_method_settings;

typedef struct cst_method_result {
    int iterations;
    double error;     /* of the x returned, the best met */
    bool converged;   /* error <= tolerance */
    bool interrupted; /* keep_going said no */
    bool stalled;     /* gave up: another method may do better */
    bool growing;     /* impulses grew while the error did not fall: the problem looks infeasible (growth.h) */
    int64_t local_solves, local_failures, fallbacks;
} cst_method_result;

#endif
