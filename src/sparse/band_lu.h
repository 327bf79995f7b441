/* Banded LU factorisation P A = L U with partial pivoting, for matrices that are not symmetric.
 *
 * Row i stores the columns i - b .. i + 2b, where b is the half bandwidth. Row exchanges can extend the band to the right by at
 * most the half bandwidth (Golub and Van Loan, Matrix Computations, 4.3.3). If the half bandwidth is the size of the matrix minus
 * 1, the matrix is dense and needs no more memory than dense storage. */
#ifndef CST_SPARSE_BAND_LU_H
#define CST_SPARSE_BAND_LU_H

#include "base/arena.h"

typedef struct cst_band_lu {
    int32_t size, half_band;
    int64_t width;  /* columns stored per row */
    double *entry;  /* (size x width) */
    int32_t *pivot; /* array (size): row exchanged with row k at step k */
} cst_band_lu;

/* Returns the number of doubles that a matrix needs, from its size and half bandwidth. The function cst_band_lu_entries returns a
 * double, because the number of entries may not fit an integer. */
double cst_band_lu_entries(int32_t size, int32_t half_band);

/* Creates a zero matrix to be filled through cst_band_lu_at. Returns false if memory ran out. */
bool cst_band_lu_begin(cst_arena *arena, int32_t size, int32_t half_band, cst_band_lu *lu);

static inline double *cst_band_lu_at(const cst_band_lu *lu, int32_t row, int32_t column)
{
    int32_t first = row > lu->half_band ? row - lu->half_band : 0;
    return lu->entry + (int64_t)row * lu->width + (column - first);
}

/* Factorises in place. Returns -1 on success; otherwise the matrix is singular, and the function returns the elimination step
 * that found no usable pivot. */
int32_t cst_band_lu_factor(cst_band_lu *lu);

/* x <- A^-1 x */
void cst_band_lu_solve(const cst_band_lu *lu, double *x);

#endif
