#include "sparse/band_lu.h"

#include <math.h>

static int64_t row_width(int32_t size, int32_t half_band)
{
    int64_t width = 3 * (int64_t)half_band + 1;
    return width < size ? width : size;
}

double cst_band_lu_entries(int32_t size, int32_t half_band)
{
    return (double)size * (double)row_width(size, half_band);
}

bool cst_band_lu_begin(cst_arena *arena, int32_t size, int32_t half_band, cst_band_lu *lu)
{
    *lu = (cst_band_lu){.size = size, .half_band = half_band, .width = row_width(size, half_band)};
    lu->entry = cst_arena_take(arena, (size_t)size, (size_t)lu->width * sizeof(double));
    lu->pivot = CST_TAKE(arena, int32_t, size);
    return !arena->failed;
}

static int32_t last_index(const cst_band_lu *lu, int64_t index)
{
    return index < lu->size - 1 ? (int32_t)index : lu->size - 1;
}

int32_t cst_band_lu_factor(cst_band_lu *lu)
{
    for (int32_t k = 0; k < lu->size; k++) {
        int32_t last_row = last_index(lu, (int64_t)k + lu->half_band);
        int32_t last_column = last_index(lu, (int64_t)k + 2 * (int64_t)lu->half_band);
        int32_t best = k;
        for (int32_t i = k + 1; i <= last_row; i++)
            if (fabs(*cst_band_lu_at(lu, i, k)) > fabs(*cst_band_lu_at(lu, best, k)))
                best = i;
        lu->pivot[k] = best;
        double *top = cst_band_lu_at(lu, k, k);
        if (best != k) {
            double *other = cst_band_lu_at(lu, best, k);
            for (int32_t j = 0; j <= last_column - k; j++) {
                double swap = top[j];
                top[j] = other[j];
                other[j] = swap;
            }
        }
        if (top[0] == 0.0 || !isfinite(top[0]))
            return k;
        for (int32_t i = k + 1; i <= last_row; i++) {
            double *row = cst_band_lu_at(lu, i, k);
            double multiplier = row[0] / top[0];
            row[0] = multiplier;
            if (multiplier != 0.0)
                for (int32_t j = 1; j <= last_column - k; j++)
                    row[j] -= multiplier * top[j];
        }
    }
    return -1;
}

void cst_band_lu_solve(const cst_band_lu *lu, double *x)
{
    for (int32_t k = 0; k < lu->size; k++) {
        double swap = x[k];
        x[k] = x[lu->pivot[k]];
        x[lu->pivot[k]] = swap;
        if (x[k] == 0.0)
            continue; /* a right-hand side is usually a row of the contact Jacobian, in which most entries are zero */
        int32_t last_row = last_index(lu, (int64_t)k + lu->half_band);
        for (int32_t i = k + 1; i <= last_row; i++)
            x[i] -= *cst_band_lu_at(lu, i, k) * x[k];
    }
    for (int32_t k = lu->size - 1; k >= 0; k--) {
        const double *row = cst_band_lu_at(lu, k, k);
        int32_t last_column = last_index(lu, (int64_t)k + 2 * (int64_t)lu->half_band);
        double sum = x[k];
        for (int32_t j = 1; j <= last_column - k; j++)
            sum -= row[j] * x[k + j];
        x[k] = sum / row[0];
    }
}
