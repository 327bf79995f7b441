/* Checks the input data of a friction problem given by bodies. */
#ifndef CST_FRICTION_BODY_CHECK_H
#define CST_FRICTION_BODY_CHECK_H

#include "capstan/friction.h"

/* Returns CST_SOLVED if the data are valid; otherwise returns CST_BAD_PROBLEM, and `message` names the fault. Whether the
 * matrices are positive definite is found only when they are factorised. */
cst_status cst_body_problem_check(const cst_body_problem *problem, int threads, char *message, size_t message_size);

#endif
