/* Settings and results of the methods that compute the impulses of all contacts of a friction problem (cst_system). */
#ifndef CST_FRICTION_METHOD_H
#define CST_FRICTION_METHOD_H

#include "friction/system.h"

typedef struct cst_method_settings {
    double tolerance;        /* largest accepted value of cst_system_error */
    bool fischer_burmeister; /* true: cst_system_error uses the Fischer-Burmeister function */
    int max_iterations;
    /* called between iterations; false: stop. NULL: never stop */
    bool (*keep_going)(void *user, int iterations, double error);
    void *user;
} cst_method_settings;

typedef struct cst_method_result {
    int iterations;
    double error;     /* error of the returned impulses */
    bool converged;   /* error <= tolerance */
    bool interrupted; /* the callback keep_going returned false */
    bool stalled;     /* stopped before it converged */
    /* impulses grew but the error did not fall; probably there is no solution (growth.h) */
    bool growing;
    int64_t local_solves, local_failures, fallbacks;
} cst_method_result;

#endif
