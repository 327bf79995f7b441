/* Banded LU factorisation P A = L U with partial pivoting, for matrices that are not symmetric. Row i of the band matrix stores
 * the columns i - b .. i + 2b, where b is the half bandwidth. Row exchanges widen the band to the right by at most the half
 * bandwidth (Golub and Van Loan, Matrix Computations, 4.3.3). No row stores more than n entries of a matrix of size n, so a dense
 * matrix (b = n - 1) takes n^2 doubles, as in dense storage. */
#ifndef CST_SPARSE_BAND_LU_H
#define CST_SPARSE_BAND_LU_H

#include "base/arena.h"

typedef struct cst_band_lu {
    int32_t size, half_band;
    int64_t width;  /* number of columns stored per row */
    double *entry;  /* array (size x width) */
    int32_t *pivot; /* array (size): in elimination step k, row k is exchanged with row pivot[k] */
} cst_band_lu;

/* Returns the number of doubles that a band matrix needs, as a double, because the number may be too large for an integer. */
double cst_band_lu_entries(int32_t size, int32_t half_band);

/* Creates a zero band matrix, to be filled through cst_band_lu_at. Returns false if memory ran out. */
bool cst_band_lu_begin(cst_arena *arena, int32_t size, int32_t half_band, cst_band_lu *lu);

static inline double *cst_band_lu_at(const cst_band_lu *lu, int32_t row, int32_t column)
{
    int32_t first = row > lu->half_band ? row - lu->half_band : 0;
    return lu->entry + (int64_t)row * lu->width + (column - first);
}

/* Factorises in place. Returns -1 or, on failure, the elimination step (from 0) whose pivot is zero or not finite. */
int32_t cst_band_lu_factor(cst_band_lu *lu);

/* x <- A^-1 x */
void cst_band_lu_solve(const cst_band_lu *lu, double *x);

#endif
