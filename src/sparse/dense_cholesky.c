#include "sparse/dense_cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/threads.h"
#include "sparse/dense_tile.h"

enum {
    PANEL = CST_CHOLESKY_PANEL,
    CHUNK = CST_CHOLESKY_CHUNK,
    /* PARALLEL_ENTRIES: if the remaining matrix has n rows and columns, and n^2 is below PARALLEL_ENTRIES, one thread updates
     * it, because starting threads would take longer */
    PARALLEL_ENTRIES = 1 << 15
};

/* Factorises the lower triangle of the diagonal block (width x width). The factor is computed as its transpose, so that vector
 * instructions run along the rows. Returns -1, or the index of the first column whose pivot is not finite or at most 16
 * DBL_EPSILON times its diagonal entry on input. */
CST_MULTIVERSION
static int factor_corner(double *a, size_t stride, int width)
{
    const int end = (width + CST_TILE_LANES - 1) / CST_TILE_LANES * CST_TILE_LANES;
    double turned[PANEL * PANEL], given[PANEL];
    memset(turned, 0, sizeof *turned * (size_t)(width * PANEL));
    for (int i = 0; i < width; i++) {
        for (int k = 0; k <= i; k++)
            turned[k * PANEL + i] = a[(size_t)i * stride + (size_t)k];
        given[i] = turned[i * PANEL + i];
    }
    for (int k = 0; k < width; k++) {
        double *row = turned + k * PANEL;
        const double pivot = row[k];
        const int begin = k / CST_TILE_LANES * CST_TILE_LANES;
        if (!(pivot > 16.0 * DBL_EPSILON * given[k]) || !(pivot <= DBL_MAX))
            return k;
        const double inverse = 1.0 / sqrt(pivot);
        for (int i = begin; i < end; i += CST_TILE_LANES)
            *(cst_vec4 *)(row + i) *= inverse;
        row[k] = inverse;
        for (int j = k + 1; j < width; j++) {
            const double factor = row[j];
            for (int i = j / CST_TILE_LANES * CST_TILE_LANES; i < end; i += CST_TILE_LANES)
                *(cst_vec4 *)(turned + j * PANEL + i) -= factor * *(const cst_vec4 *)(row + i);
        }
    }
    for (int i = 0; i < width; i++)
        for (int k = 0; k <= i; k++)
            a[(size_t)i * stride + (size_t)k] = turned[k * PANEL + i];
    return -1;
}

/* Solves L21 L11^T = A21 for L21. A21 and L21 are the parts of a panel (a group of columns) below its diagonal block: A21 in the
 * matrix, L21 in the factor. L11 is the factor of the diagonal block. `corner`: L11. `below`: the rows A21 of the matrix on
 * input, the rows L21 of the factor on output. `across`: output, the transpose of L21 in chunks of CHUNK columns, so that the
 * next matrix products can load it with vector instructions. */
CST_MULTIVERSION
static void solve_below(const double *corner, double *below, int rows, size_t stride, int width, double *across)
{
    for (int at = 0; at < rows; at += CHUNK, across += PANEL * CHUNK) {
        const int count = rows - at < CHUNK ? rows - at : CHUNK;
        double *part = below + (size_t)at * stride;
        cst_tile_turn(part, stride, count, width, across, CHUNK);
        for (int k = 0; k < width; k += CST_TILE_ROWS) {
            const int band = width - k < CST_TILE_ROWS ? width - k : CST_TILE_ROWS;
            const double *l = corner + (size_t)k * stride;
            double *row = across + k * CHUNK;
            if (band == CST_TILE_ROWS)
                cst_tile_update_band(row, CHUNK, l, stride, across, CHUNK, k, CST_TILE_ROWS, count);
            else
                for (int r = 0; r < band; r++)
                    cst_tile_update_band(row + r * CHUNK, CHUNK, l + (size_t)r * stride, stride, across, CHUNK, k, 1, count);
            for (int r = 0; r < band; r++) {
                double *own = row + r * CHUNK;
                for (int c = 0; c < r; c++)
                    cst_tile_subtract_scaled(own, row + c * CHUNK, l[(size_t)r * stride + (size_t)(k + c)], count);
                for (int i = 0; i < count; i++)
                    own[i] *= l[(size_t)r * stride + (size_t)(k + r)];
            }
        }
        cst_tile_turn(across, CHUNK, width, count, part, stride);
    }
}

/* Subtracts L21 L21^T from the rows `from` to `to` - 1 of the triangle that is not factorised yet (L21: part of the factored
 * panel below its diagonal block). A tile on the diagonal of the matrix `c` is computed as a full rectangle; its entries above
 * the diagonal are never used. */
CST_MULTIVERSION
static void update_rows(double *c, const double *l, int from, int to, size_t stride, int depth, const double *across)
{
    for (int chunk = 0; chunk < to; chunk += CHUNK, across += PANEL * CHUNK)
        for (int i = chunk > from ? chunk : from; i < to; i += CST_TILE_ROWS) {
            const int rows = to - i < CST_TILE_ROWS ? to - i : CST_TILE_ROWS, reach = i + rows - chunk;
            const int columns = reach < CHUNK ? reach : CHUNK;
            double *row = c + (size_t)i * stride + chunk;
            const double *left = l + (size_t)i * stride;
            if (rows == CST_TILE_ROWS)
                cst_tile_update_band(row, stride, left, stride, across, CHUNK, depth, CST_TILE_ROWS, columns);
            else
                for (int r = 0; r < rows; r++)
                    cst_tile_update_band(row + (size_t)r * stride, stride, left + (size_t)r * stride, stride, across, CHUNK,
                                         depth, 1, columns);
        }
}

int cst_dense_cholesky_eliminate(double *a, int size, int stride, int pivots, double *scratch, int threads)
{
    for (int first = 0; first < pivots; first += PANEL) {
        const int last = first + PANEL < pivots ? first + PANEL : pivots, left = size - last, width = last - first;
        double *corner = a + (size_t)first * (size_t)stride + first, *below = corner + (size_t)width * (size_t)stride;
        const int fault = factor_corner(corner, (size_t)stride, width);
        if (fault >= 0)
            return first + fault;
        solve_below(corner, below, left, (size_t)stride, width, scratch);
        const int used = cst_threads_for(threads, (int64_t)left * left, PARALLEL_ENTRIES);
        (void)used; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(dynamic, 1) num_threads(used) if (used > 1)
        for (int from = 0; from < left; from += CHUNK)
            update_rows(below + width, below, from, from + CHUNK < left ? from + CHUNK : left, (size_t)stride, width, scratch);
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
