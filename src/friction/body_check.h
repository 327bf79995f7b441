/* Checks the input data of a friction problem given by bodies. The solvers do not repeat this check. */
#ifndef CST_FRICTION_BODY_CHECK_H
#define CST_FRICTION_BODY_CHECK_H

#include "capstan/friction.h"

/* Returns CST_SOLVED if the data are valid. Otherwise returns CST_BAD_PROBLEM and writes what is wrong, and where, to
 * `message`. The factorisation checks later whether the matrices are positive definite. */
cst_status cst_body_problem_check(const cst_body_problem *problem, int threads, char *message, size_t message_size);

#endif
