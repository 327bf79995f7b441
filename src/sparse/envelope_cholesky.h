/* Cholesky factorisation A = L L^T of a symmetric positive definite matrix, stored within its envelope.
 *
 * Row i stores the columns first[i] to i, where first[i] is the column of the first nonzero entry of the row. The factor L has
 * the same envelope as A (George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4). Dense
 * matrices (first[i] = 0), banded matrices (first[i] = i - bandwidth) and small sparse matrices use the same code. The diagonal
 * of the stored factor holds the reciprocals 1 / L_ii of its diagonal entries. */
#ifndef CST_SPARSE_ENVELOPE_CHOLESKY_H
#define CST_SPARSE_ENVELOPE_CHOLESKY_H

#include "base/arena.h"
#include "base/prefetch.h"

typedef struct cst_envelope {
    int size;
    int32_t *first; /* (size) */
    int64_t *start; /* start of row i in `entry` */
    double *entry;
} cst_envelope;

/* Starts a matrix with `size` rows. Before cst_envelope_open, the caller sets out->first[i] to the column of the first nonzero
 * entry of row i; a row that is not set starts at column 0. Returns false if memory ran out. */
bool cst_envelope_begin(cst_arena *arena, int size, cst_envelope *out);

/* Allocates the entries, all zero. The array matrix->first must not change after the call of cst_envelope_open. Returns false
 * if memory ran out. */
bool cst_envelope_open(cst_arena *arena, cst_envelope *matrix);

/* Returns a pointer p to a row of the lower triangle: p[j] is the entry in column j. Only the columns from the first nonzero
 * entry to the diagonal are stored. */
static inline double *cst_envelope_row(const cst_envelope *matrix, int row)
{
    return matrix->entry + matrix->start[row] - matrix->first[row];
}

/* Factorises in place. Returns -1, or the first row where the matrix is not positive definite. */
int cst_envelope_factor(cst_envelope *matrix);

/* Factorises a positive semi-definite matrix. A row counts as linearly dependent on earlier rows if its pivot is at most
 * `floor` times its diagonal entry. For a linearly dependent row, the stored reciprocal 1 / L_ii of the factor's diagonal entry
 * is set to 0, so that the unknown of the row is 0 in every solution. Returns the number of dependent rows. */
int cst_envelope_factor_semidefinite(cst_envelope *matrix, double floor);

/* Multiplies `columns` (1 to 3) vectors by the inverse of the Cholesky factor L. The first `from` entries of each vector are
 * zero and not stored: x[k * stride] is the entry `from` of vector k. */
void cst_envelope_forward(const cst_envelope *factor, int columns, int64_t stride, int from, double *x);

/* Prefetches a small factor whose rows all start at column 0. */
static inline void cst_envelope_fetch(const cst_envelope *factor)
{
    const size_t n = (size_t)factor->size;
    cst_prefetch(factor->first, n * sizeof *factor->first);
    cst_prefetch(factor->start, n * sizeof *factor->start);
    cst_prefetch(factor->entry, n * (n + 1) / 2 * sizeof *factor->entry);
}

/* x <- L^-T x */
void cst_envelope_backward(const cst_envelope *factor, double *x);

#endif
