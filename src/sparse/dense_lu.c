#include "sparse/dense_lu.h"

#include <math.h>

#include "base/simd.h"
#include "sparse/dense_tile.h"

enum { PANEL = 8 }; /* columns per panel */

CST_TILE_INLINE void exchange_rows(double *x, double *y, int count)
{
    for (int j = 0; j < count; j++) {
        const double kept = x[j];
        x[j] = y[j];
        y[j] = kept;
    }
}

/* Factorises a panel: the columns from `first` to before `last`, in the rows from `first` on. Returns the number of replaced
 * pivots. */
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

CST_MULTIVERSION
int cst_dense_lu_eliminate(double *a, int size, int stride, int pivots, double floor, int32_t *exchange)
{
    const size_t step = (size_t)stride;
    int replaced = 0;
    for (int first = 0; first < pivots; first += PANEL) {
        const int last = first + PANEL < pivots ? first + PANEL : pivots, depth = last - first, columns = size - last;
        replaced += factor_panel(a, size, stride, pivots, first, last, floor, exchange);
        double *right = a + (size_t)first * step + (size_t)last; /* right of the panel: becomes U */
        for (int i = 1; i < depth; i++)
            for (int k = 0; k < i; k++)
                cst_tile_subtract_scaled(right + (size_t)i * step, right + (size_t)k * step,
                                         a[(size_t)(first + i) * step + (size_t)(first + k)], columns);
        int i = last;
        for (; i + CST_TILE_ROWS <= size; i += CST_TILE_ROWS) {
            double *row = a + (size_t)i * step;
            cst_tile_update_band(row + last, step, row + first, step, right, step, depth, CST_TILE_ROWS, columns);
        }
        for (; i < size; i++) {
            double *row = a + (size_t)i * step;
            cst_tile_update_band(row + last, step, row + first, step, right, step, depth, 1, columns);
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
