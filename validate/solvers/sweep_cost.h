/* What one sweep of Gauss-Seidel costs, next to what merely reading W costs. */
#ifndef CST_VALIDATE_SOLVERS_SWEEP_COST_H
#define CST_VALIDATE_SOLVERS_SWEEP_COST_H

#include "solvers/problem_set.h"

typedef struct cst_sweep_cost {
    double seconds;      /* of one sweep over all contacts, nothing frozen */
    size_t memory_bytes; /* working memory of the solver */
} cst_sweep_cost;

/* The difference between a long and a short run, so that what is done once does not count. */
bool cst_sweep_cost_measure(cst_set_problem *problem, cst_form form, cst_sweep_cost *out);

/* Bytes of W: blocks, column indices, row starts. */
size_t cst_explicit_bytes(const cst_friction_problem *problem);

/* Seconds to read so many bytes once, summing them, by one thread: the best of several passes over memory of that size, so that
 * what fits in a cache is measured in it. NaN without memory. */
double cst_streaming_seconds(size_t bytes);

#endif
