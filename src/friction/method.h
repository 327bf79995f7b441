/* Settings and results of the methods that solve all contacts of a friction problem (cst_system). */
#ifndef CST_FRICTION_METHOD_H
#define CST_FRICTION_METHOD_H

#include "friction/system.h"

typedef struct cst_method_settings {
    double tolerance;        /* bound on cst_system_error */
    bool fischer_burmeister; /* measure used by cst_system_error */
    int max_iterations;
    /* called between iterations; false: stop. NULL: always continue */
    bool (*keep_going)(void *user, int iterations, double error);
    void *user;
} cst_method_settings;

typedef struct cst_method_result {
    int iterations;
    double error;     /* error of the returned impulses, which are the iterate with the smallest error */
    bool converged;   /* error <= tolerance */
    bool interrupted; /* keep_going returned false */
    bool stalled;     /* the method stopped before it converged; another method may solve the problem */
    /* impulses grew while the error did not fall, so the friction problem probably has no solution (growth.h) */
    bool growing;
    int64_t local_solves, local_failures, fallbacks;
} cst_method_result;

#endif
