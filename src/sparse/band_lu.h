/* Banded LU with partial pivoting, for matrices that are not symmetric: P A = L U.
 *
 * Row i keeps the columns i - b .. i + 2b, where b is the half bandwidth: exchanging rows can push the band out by b to the
 * right, never further (Golub and Van Loan, Matrix Computations, 4.3.3). b = n - 1 is a dense matrix and costs no more memory
 * than one. */
#ifndef CST_SPARSE_BAND_LU_H
#define CST_SPARSE_BAND_LU_H

#include "base/arena.h"

typedef struct cst_band_lu {
    int32_t size, half_band;
    int64_t width;  /* stored columns of a row: min(3b + 1, n) */
    double *entry;  /* (size x width) */
    int32_t *pivot; /* (size) row exchanged with at each step */
} cst_band_lu;

/* Doubles that a matrix of this shape takes, as a double: it may not fit an integer. */
double cst_band_lu_entries(int32_t size, int32_t half_band);

/* A zero matrix to be filled through cst_band_lu_at. false: out of memory. */
bool cst_band_lu_begin(cst_arena *arena, int32_t size, int32_t half_band, cst_band_lu *lu);

static inline double *cst_band_lu_at(const cst_band_lu *lu, int32_t row, int32_t column)
{
    int32_t first = row > lu->half_band ? row - lu->half_band : 0;
    return lu->entry + (int64_t)row * lu->width + (column - first);
}

/* Factor in place; -1 if it went well, otherwise the step at which no usable pivot was left: the matrix is singular. */
int32_t cst_band_lu_factor(cst_band_lu *lu);

/* x <- A^-1 x */
void cst_band_lu_solve(const cst_band_lu *lu, double *x);

#endif
