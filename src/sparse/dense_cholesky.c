#include "sparse/dense_cholesky.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "base/threads.h"
#include "sparse/dense_tile.h"

enum {
    PANEL = CST_CHOLESKY_PANEL,
    PARALLEL_ENTRIES = 1 << 15
}; /* entries of the trailing triangle; for fewer, starting threads costs more than it saves */

/* Factorises the columns first .. last-1 of the diagonal block and of all rows below it. Returns -1, or the column without a
 * positive pivot. */
CST_MULTIVERSION
static int factor_panel(double *a, int size, size_t stride, int first, int last)
{
    for (int i = first; i < size; i++) {
        double *row = a + (size_t)i * stride + first;
        const int columns = (i < last ? i : last) - first;
        for (int j = 0; j < columns; j++) {
            const double *other = a + (size_t)(first + j) * stride + first;
            row[j] = (row[j] - cst_tile_dot(row, other, j)) * other[j];
        }
        if (i >= last)
            continue;
        const double given = row[columns], pivot = given - cst_tile_dot(row, row, columns);
        if (!(pivot > 16.0 * DBL_EPSILON * given) || !(pivot <= DBL_MAX))
            return i;
        row[columns] = 1.0 / sqrt(pivot);
    }
    return -1;
}

/* Writes the transpose of the panel's part below the diagonal block to `across`, so that tiles read it with vector loads. */
static void turn_panel(const double *a, int size, size_t stride, int first, int last, double *across)
{
    for (int i = last; i < size; i++)
        for (int k = first; k < last; k++)
            across[(size_t)(k - first) * stride + (size_t)(i - last)] = a[(size_t)i * stride + (size_t)k];
}

/* Updates the rows i .. i + rows - 1 of the trailing triangle. A tile on the diagonal also writes above the diagonal; these
 * values are never read. */
CST_MULTIVERSION
static void update_rows(double *a, int i, int rows, size_t stride, int first, int last, const double *across)
{
    double *row = a + (size_t)i * stride;
    const int columns = i + rows - last;
    if (rows == CST_TILE_ROWS)
        cst_tile_update_band(row + last, row + first, stride, across, stride, last - first, CST_TILE_ROWS, columns);
    else
        for (int r = 0; r < rows; r++)
            cst_tile_update_band(row + (size_t)r * stride + last, row + (size_t)r * stride + first, stride, across, stride,
                                 last - first, 1, columns - rows + r + 1);
}

int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads)
{
    for (int first = 0; first < pivots; first += PANEL) {
        const int last = first + PANEL < pivots ? first + PANEL : pivots, left = size - last;
        const int fault = factor_panel(a, size, (size_t)stride, first, last);
        if (fault >= 0)
            return fault;
        turn_panel(a, size, (size_t)stride, first, last, scratch);
        const int used = cst_threads_for(threads, (int64_t)left * left, PARALLEL_ENTRIES);
        const int bands = (left + CST_TILE_ROWS - 1) / CST_TILE_ROWS;
        (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(dynamic, 8) num_threads(used) if (used > 1)
        for (int band = 0; band < bands; band++) {
            const int i = last + band * CST_TILE_ROWS, rows = size - i < CST_TILE_ROWS ? size - i : CST_TILE_ROWS;
            update_rows(a, i, rows, (size_t)stride, first, last, scratch);
        }
    }
    return -1;
}

CST_MULTIVERSION
void cst_dense_cholesky_forward(const double *a, int stride, int pivots, double *x)
{
    for (int k = 0; k < pivots; k++) {
        const double *row = a + (size_t)k * (size_t)stride;
        x[k] = (x[k] - cst_tile_dot(row, x, k)) * row[k];
    }
}

CST_MULTIVERSION
void cst_dense_cholesky_backward(const double *a, int stride, int pivots, double *x)
{
    for (int k = pivots - 1; k >= 0; k--) {
        const double *row = a + (size_t)k * (size_t)stride;
        x[k] *= row[k];
        cst_tile_subtract_scaled(x, row, x[k], k);
    }
}

CST_MULTIVERSION
void cst_dense_cholesky_pass_on(const double *below, int rows, int columns, int stride, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        y[i] -= cst_tile_dot(below + (size_t)i * (size_t)stride, x, columns);
}

CST_MULTIVERSION
void cst_dense_cholesky_take_back(const double *below, int rows, int columns, int stride, const double *y, double *x)
{
    for (int i = 0; i < rows; i++)
        cst_tile_subtract_scaled(x, below + (size_t)i * (size_t)stride, y[i], columns);
}
