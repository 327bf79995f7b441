/* Checks that the data are a valid body problem. Solvers do not repeat this check. */
#ifndef CST_FRICTION_BODY_CHECK_H
#define CST_FRICTION_BODY_CHECK_H

#include "capstan/friction.h"

/* Returns CST_SOLVED if the data are valid; otherwise returns CST_BAD_PROBLEM and writes a message that says what is wrong and
 * where. Whether matrices are positive definite is checked later, by their factorisation. */
cst_status cst_body_problem_check(const cst_body_problem *problem, int threads, char *message, size_t message_size);

#endif
