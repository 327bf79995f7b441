#include "sparse/dense_lu.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "sparse/dense_tile.h"

/* PANEL, BLOCK, CHUNK: numbers of columns. The columns are eliminated in groups of PANEL columns. The columns to the right of a
 * block of BLOCK columns are updated only once, after the whole block has been eliminated, so that a matrix that does not fit
 * into the cache is read less often. CHUNK columns are updated together. The terms of each matrix entry are added in the same
 * order for all values of PANEL, BLOCK and CHUNK. */
enum { PANEL = 8, BLOCK = 64, CHUNK = 64 };

CST_TILE_INLINE void exchange_rows(double *x, double *y, int count)
{
    for (int j = 0; j < count; j++) {
        const double kept = x[j];
        x[j] = y[j];
        y[j] = kept;
    }
}

/* Factorises the columns `first` to `last` - 1 in the rows from `first` on. Returns the number of replaced pivots. */
CST_TILE_INLINE int factor_panel(double *a, int size, int stride, int pivots, int first, int last, double floor,
                                 int32_t *exchange)
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
            cst_tile_subtract_scaled(row + k + 1, top + k + 1, row[k], last - k - 1);
        }
    }
    return replaced;
}

/* Computes rows of the factor U with the unit lower triangle `lower` of the panel. `right` (depth x columns): rows of the matrix
 * on input, rows of U on output. */
CST_TILE_INLINE void solve_right(double *right, const double *lower, size_t step, int depth, int columns)
{
    for (int i = 1; i < depth; i++)
        for (int k = 0; k < i; k++)
            cst_tile_subtract_scaled(right + (size_t)i * step, right + (size_t)k * step, lower[(size_t)i * step + (size_t)k],
                                     columns);
}

CST_TILE_INLINE void subtract_product(double *c, const double *left, size_t step, const double *right, size_t right_step,
                                      int depth, int rows, int columns)
{
    int i = 0;
    for (; i + CST_TILE_ROWS <= rows; i += CST_TILE_ROWS)
        cst_tile_update_band(c + (size_t)i * step, step, left + (size_t)i * step, step, right, right_step, depth, CST_TILE_ROWS,
                             columns);
    for (; i < rows; i++)
        cst_tile_update_band(c + (size_t)i * step, step, left + (size_t)i * step, step, right, right_step, depth, 1, columns);
}

/* Like factor_panel, but panel by panel. */
CST_TILE_INLINE int factor_block(double *a, int size, int stride, int pivots, int first, int last, double floor,
                                 int32_t *exchange)
{
    const size_t step = (size_t)stride;
    int replaced = 0;
    for (int begin = first; begin < last; begin += PANEL) {
        const int end = begin + PANEL < last ? begin + PANEL : last;
        double *corner = a + (size_t)begin * step + (size_t)begin, *right = corner + (end - begin);
        replaced += factor_panel(a, size, stride, pivots, begin, end, floor, exchange);
        solve_right(right, corner, step, end - begin, last - end);
        double *below = a + (size_t)end * step + (size_t)begin;
        subtract_product(below + (end - begin), below, step, right, step, end - begin, size - end, last - end);
    }
    return replaced;
}

CST_MULTIVERSION
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange)
{
    const size_t step = (size_t)stride;
    double across[BLOCK * CHUNK]; /* CHUNK columns of U, contiguous */
    int replaced = 0;
    for (int first = 0; first < pivots; first += BLOCK) {
        const int last = first + BLOCK < pivots ? first + BLOCK : pivots, depth = last - first;
        replaced += factor_block(a, size, stride, pivots, first, last, floor, exchange);
        for (int begin = first; begin < last; begin += PANEL) {
            const int end = begin + PANEL < last ? begin + PANEL : last;
            double *row = a + (size_t)begin * step;
            subtract_product(row + last, row + first, step, a + (size_t)first * step + (size_t)last, step, begin - first,
                             end - begin, size - last);
            solve_right(row + last, row + begin, step, end - begin, size - last);
        }
        for (int at = last; at < size; at += CHUNK) {
            const int columns = size - at < CHUNK ? size - at : CHUNK;
            double *below = a + (size_t)last * step;
            for (int k = 0; k < depth; k++)
                memcpy(across + k * CHUNK, a + (size_t)(first + k) * step + (size_t)at, sizeof *across * (size_t)columns);
            subtract_product(below + at, below + first, step, across, CHUNK, depth, size - last, columns);
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
        x[k] -= cst_tile_dot(a + (size_t)k * (size_t)stride, x, k);
}

CST_MULTIVERSION
void cst_dense_lu_backward(const double *a, int stride, int pivots, double *x)
{
    for (int k = pivots - 1; k >= 0; k--) {
        const double *row = a + (size_t)k * (size_t)stride;
        x[k] = (x[k] - cst_tile_dot(row + k + 1, x + k + 1, pivots - k - 1)) / row[k];
    }
}

CST_MULTIVERSION
void cst_dense_subtract_product(const double *a, int rows, int columns, int stride, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        y[i] -= cst_tile_dot(a + (size_t)i * (size_t)stride, x, columns);
}

void cst_dense_lu_solve(const double *a, int size, int stride, const int32_t *exchange, double *x)
{
    cst_dense_lu_forward(a, stride, size, exchange, x);
    cst_dense_lu_backward(a, stride, size, x);
}
