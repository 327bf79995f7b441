/* Are the data a body problem? Everything that a solver relies on without looking is looked at here, once. */
#ifndef CST_FRICTION_BODY_CHECK_H
#define CST_FRICTION_BODY_CHECK_H

#include "capstan/friction.h"

/* CST_SOLVED if so; otherwise CST_BAD_PROBLEM and the message says what and where. That matrices are positive definite is left to
 * those who factor them. */
cst_status cst_body_problem_check(const cst_body_problem *problem, int threads, char *message, size_t message_size);

#endif
