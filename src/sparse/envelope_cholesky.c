#include "sparse/envelope_cholesky.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"

/* dot products have four partial sums, so that their bits do not depend on the vector width of the processor */
typedef double vec4 __attribute__((vector_size(32), aligned(8)));
enum { LANES = 4 };

static inline __attribute__((always_inline)) double sum_of(const vec4 *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

static inline __attribute__((always_inline)) double dot(const double *a, const double *b, int count)
{
    vec4 sum = {0};
    int k = 0;
    for (; k + LANES <= count; k += LANES)
        sum += *(const vec4 *)(a + k) * *(const vec4 *)(b + k);
    double rest = 0.0;
    for (; k < count; k++)
        rest += a[k] * b[k];
    return sum_of(&sum) + rest;
}

bool cst_envelope_begin(cst_arena *arena, int size, cst_envelope *out)
{
    *out = (cst_envelope){
        .size = size, .first = CST_TAKE(arena, int32_t, (size_t)size), .start = CST_TAKE(arena, int64_t, (size_t)size + 1)};
    return !arena->failed;
}

bool cst_envelope_open(cst_arena *arena, cst_envelope *matrix)
{
    for (int i = 0; i < matrix->size; i++)
        matrix->start[i + 1] = matrix->start[i] + (i - matrix->first[i] + 1);
    matrix->entry = CST_TAKE(arena, double, (size_t)matrix->start[matrix->size]);
    return !arena->failed;
}

/* Computes row i of the Cholesky factor L without its diagonal entry. Returns the pivot L_ii^2. */
static inline __attribute__((always_inline)) double eliminate_row(cst_envelope *matrix, int i)
{
    double *row = cst_envelope_row(matrix, i);
    const int first = matrix->first[i];
    for (int j = first; j < i; j++) {
        const double *other = cst_envelope_row(matrix, j);
        const int from = first > matrix->first[j] ? first : matrix->first[j];
        row[j] = (row[j] - dot(row + from, other + from, j - from)) * other[j];
    }
    return row[i] - dot(row + first, row + first, i - first);
}

CST_MULTIVERSION
int cst_envelope_factor(cst_envelope *matrix)
{
    for (int i = 0; i < matrix->size; i++) {
        double *diagonal = cst_envelope_row(matrix, i) + i;
        const double pivot = eliminate_row(matrix, i);
        if (!(pivot > 16.0 * DBL_EPSILON * *diagonal) || !(pivot <= DBL_MAX))
            return i;
        *diagonal = 1.0 / sqrt(pivot);
    }
    return -1;
}

CST_MULTIVERSION
int cst_envelope_factor_semidefinite(cst_envelope *matrix, double floor)
{
    int left_out = 0;
    for (int i = 0; i < matrix->size; i++) {
        double *diagonal = cst_envelope_row(matrix, i) + i;
        const double pivot = eliminate_row(matrix, i);
        const bool depends = !(pivot > floor * *diagonal);
        *diagonal = depends ? 0.0 : 1.0 / sqrt(pivot);
        left_out += depends;
    }
    return left_out;
}

/* Solves for several right-hand sides at once: the factor is read from memory only once, and the independent sums hide the
 * latency of the arithmetic. */
static inline __attribute__((always_inline)) void forward(const cst_envelope *factor, int columns, int64_t stride, int from,
                                                          double *x)
{
    for (int i = from; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        const int first = from > factor->first[i] ? from : factor->first[i], count = i - first;
        double *column = x + (first - from);
        vec4 sum[3] = {{0}};
        double rest[3] = {0};
        int k = 0;
        for (; k + LANES <= count; k += LANES)
            for (int c = 0; c < columns; c++)
                sum[c] += *(const vec4 *)(row + first + k) * *(const vec4 *)(column + c * stride + k);
        for (; k < count; k++)
            for (int c = 0; c < columns; c++)
                rest[c] += row[first + k] * column[c * stride + k];
        for (int c = 0; c < columns; c++)
            column[c * stride + count] = (column[c * stride + count] - (sum_of(sum + c) + rest[c])) * row[i];
    }
}

CST_MULTIVERSION
void cst_envelope_forward(const cst_envelope *factor, int columns, int64_t stride, int from, double *x)
{
    if (columns == 3)
        forward(factor, 3, stride, from, x);
    else if (columns == 2)
        forward(factor, 2, stride, from, x);
    else
        forward(factor, 1, stride, from, x);
}

CST_MULTIVERSION
void cst_envelope_backward(const cst_envelope *factor, double *x)
{
    for (int i = factor->size - 1; i >= 0; i--) {
        const double *row = cst_envelope_row(factor, i);
        const double value = x[i] * row[i];
        x[i] = value;
        for (int k = factor->first[i]; k < i; k++)
            x[k] -= row[k] * value;
    }
}
