/* Functions on the data of an explicit problem: its check, the asymmetry of W, and its symmetric part. */
#ifndef CST_FRICTION_PROBLEM_H
#define CST_FRICTION_PROBLEM_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Computes the transpose of W, with arrays from the arena. Returns false if memory ran out. */
bool cst_problem_transpose(const cst_friction_problem *problem, cst_arena *arena, cst_friction_problem *out);

/* Returns the position of a column in a row of a compressed matrix with increasing columns, or -1. */
int64_t cst_find_column(const int64_t *start, const int32_t *column, int32_t row, int32_t wanted);

/* Returns |W - W^T|_F / |W|_F, and sets *pattern_symmetric to true if every block (i, j) of W has a block (j, i). `scratch`: (2
 * contacts). */
double cst_problem_asymmetry(const cst_friction_problem *problem, int threads, double *scratch, bool *pattern_symmetric);

/* Computes (W + W^T)/2. Returns false if memory ran out. */
bool cst_problem_symmetrise(const cst_friction_problem *problem, const cst_friction_problem *transpose, cst_arena *arena,
                            cst_friction_problem *out);

#endif
