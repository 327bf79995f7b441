/* The explicit problem as data: is it one, how asymmetric is W, its symmetric part. */
#ifndef CST_FRICTION_PROBLEM_H
#define CST_FRICTION_PROBLEM_H

#include "base/arena.h"
#include "capstan/friction.h"

/* The W of `problem` transposed, as arrays of the arena. False: out of memory. */
bool cst_problem_transpose(const cst_friction_problem *problem, cst_arena *arena, cst_friction_problem *out);

/* Where a row of a compressed matrix with increasing columns has a column, or -1. */
int64_t cst_find_column(const int64_t *start, const int32_t *column, int32_t row, int32_t wanted);

/* |W - W^T|_F / |W|_F, and whether the pattern of blocks is symmetric. scratch (2 contacts). */
double cst_problem_asymmetry(const cst_friction_problem *problem, int threads, double *scratch, bool *pattern_symmetric);

/* (W + W^T)/2. False: out of memory. */
bool cst_problem_symmetrise(const cst_friction_problem *problem, const cst_friction_problem *transpose, cst_arena *arena,
                            cst_friction_problem *out);

#endif
