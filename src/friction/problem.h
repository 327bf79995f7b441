/* Checks and transformations of friction problems whose Delassus matrix W is given. */
#ifndef CST_FRICTION_PROBLEM_H
#define CST_FRICTION_PROBLEM_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Makes a copy of a friction problem in which the Delassus matrix is transposed. Returns false if memory ran out. */
bool cst_problem_transpose(const cst_friction_problem *problem, cst_arena *arena, cst_friction_problem *out);

/* Returns the position of the column `wanted` in a row of a sparse matrix with sorted columns; -1: the row has no entry in this
 * column. */
int64_t cst_find_column(const int64_t *start, const int32_t *column, int32_t row, int32_t wanted);

/* Returns the asymmetry |W - W^T| / |W| of the Delassus matrix W, in the Frobenius norm. Sets *pattern_symmetric to true if every
 * block (i, j) has a transposed block (j, i), and to false otherwise. `scratch`: array (2 contacts). */
double cst_problem_asymmetry(const cst_friction_problem *problem, int threads, double *scratch, bool *pattern_symmetric);

/* Makes a copy of a friction problem in which the Delassus matrix W is replaced by its symmetric part (W + W^T)/2. Returns
 * false if memory ran out. */
bool cst_problem_symmetrise(const cst_friction_problem *problem, const cst_friction_problem *transpose, cst_arena *arena,
                            cst_friction_problem *out);

#endif
