#include "sparse/dense_lu.h"

#include <math.h>

#include "base/simd.h"

/* Four doubles at any address. */
typedef double vec4 __attribute__((vector_size(32), aligned(8), may_alias));

/* PANEL columns are factored at a time; the trailing product is done in tiles of TILE_ROWS x TILE_COLUMNS. */
enum { PANEL = 8, LANES = 4, TILE_ROWS = 4, TILE_COLUMNS = 2 * LANES };

#define INLINE static inline __attribute__((always_inline))

/* y -= s x over `count` values. */
INLINE void subtract_scaled(double *y, const double *x, double s, int count)
{
    int j = 0;
    for (; j + LANES <= count; j += LANES)
        *(vec4 *)(y + j) -= s * *(const vec4 *)(x + j);
    for (; j < count; j++)
        y[j] -= s * x[j];
}

INLINE double dot(const double *a, const double *b, int count)
{
    vec4 sum = {0};
    double rest = 0.0;
    int j = 0;
    for (; j + LANES <= count; j += LANES)
        sum += *(const vec4 *)(a + j) * *(const vec4 *)(b + j);
    for (; j < count; j++)
        rest += a[j] * b[j];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

INLINE void exchange_rows(double *x, double *y, int count)
{
    for (int j = 0; j < count; j++) {
        const double kept = x[j];
        x[j] = y[j];
        y[j] = kept;
    }
}

/* Columns first .. last-1 of all rows below; returns the number of replaced pivots. */
INLINE int factor_panel(double *a, int size, int stride, int pivots, int first, int last, double floor, int32_t *exchange)
{
    int replaced = 0;
    for (int k = first; k < last; k++) {
        double *top = a + (size_t)k * (size_t)stride;
        int best = k;
        double largest = fabs(top[k]);
        for (int i = k + 1; i < pivots; i++) {
            const double entry = fabs(a[(size_t)i * (size_t)stride + (size_t)k]);
            if (entry > largest) {
                largest = entry;
                best = i;
            }
        }
        exchange[k] = best;
        if (best != k)
            exchange_rows(top, a + (size_t)best * (size_t)stride, size);
        if (!(largest > floor)) {
            top[k] = copysign(floor, top[k]);
            replaced++;
        }
        const double inverse = 1.0 / top[k];
        for (int i = k + 1; i < size; i++) {
            double *row = a + (size_t)i * (size_t)stride;
            row[k] *= inverse;
            subtract_scaled(row + k + 1, top + k + 1, row[k], last - k - 1);
        }
    }
    return replaced;
}

/* C -= L U on a tile of `rows` x `vectors` vectors; L is rows x depth, U depth x .... */
INLINE void update_tile(double *c, const double *l, const double *u, size_t stride, int depth, int rows, int vectors)
{
    vec4 sum[TILE_ROWS][2];
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            sum[i][v] = *(const vec4 *)(c + (size_t)i * stride + (size_t)(v * LANES));
    for (int k = 0; k < depth; k++) {
        const double *u_k = u + (size_t)k * stride;
        for (int i = 0; i < rows; i++)
            for (int v = 0; v < vectors; v++)
                sum[i][v] -= l[(size_t)i * stride + (size_t)k] * *(const vec4 *)(u_k + v * LANES);
    }
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++)
            *(vec4 *)(c + (size_t)i * stride + (size_t)(v * LANES)) = sum[i][v];
}

/* One band of `rows` rows over the columns from .. to-1. */
INLINE void update_band(double *c, const double *l, const double *u, size_t stride, int depth, int rows, int columns)
{
    int j = 0;
    for (; j + TILE_COLUMNS <= columns; j += TILE_COLUMNS)
        update_tile(c + j, l, u + j, stride, depth, rows, 2);
    if (j + LANES <= columns) {
        update_tile(c + j, l, u + j, stride, depth, rows, 1);
        j += LANES;
    }
    for (; j < columns; j++)
        for (int i = 0; i < rows; i++)
            for (int k = 0; k < depth; k++)
                c[(size_t)i * stride + (size_t)j] -= l[(size_t)i * stride + (size_t)k] * u[(size_t)k * stride + (size_t)j];
}

CST_MULTIVERSION
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange)
{
    const size_t step = (size_t)stride;
    int replaced = 0;
    for (int first = 0; first < pivots; first += PANEL) {
        const int last = first + PANEL < pivots ? first + PANEL : pivots, depth = last - first, columns = size - last;
        replaced += factor_panel(a, size, stride, pivots, first, last, floor, exchange);
        double *right = a + (size_t)first * step + (size_t)last; /* of the panel: becomes U */
        for (int i = 1; i < depth; i++)
            for (int k = 0; k < i; k++)
                subtract_scaled(right + (size_t)i * step, right + (size_t)k * step,
                                a[(size_t)(first + i) * step + (size_t)(first + k)], columns);
        int i = last;
        for (; i + TILE_ROWS <= size; i += TILE_ROWS) {
            double *row = a + (size_t)i * step;
            update_band(row + last, row + first, right, step, depth, TILE_ROWS, columns);
        }
        for (; i < size; i++) {
            double *row = a + (size_t)i * step;
            update_band(row + last, row + first, right, step, depth, 1, columns);
        }
    }
    return replaced;
}

CST_MULTIVERSION
void cst_dense_lu_forward(const double *a, int stride, int pivots, const int32_t *exchange, double *x)
{
    for (int k = 0; k < pivots; k++) {
        const double kept = x[k];
        x[k] = x[exchange[k]];
        x[exchange[k]] = kept;
    }
    for (int k = 1; k < pivots; k++)
        x[k] -= dot(a + (size_t)k * (size_t)stride, x, k);
}

CST_MULTIVERSION
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x)
{
    for (int k = pivots - 1; k >= 0; k--) {
        const double *row = a + (size_t)k * (size_t)stride;
        x[k] = (x[k] - dot(row + k + 1, x + k + 1, pivots - k - 1)) / row[k];
    }
}

CST_MULTIVERSION
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        y[i] -= dot(a + (size_t)i * (size_t)stride, x, columns);
}

void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x)
{
    cst_dense_lu_forward(a, stride, size, exchange, x);
    cst_dense_lu_backward(a, stride, size, x);
}
