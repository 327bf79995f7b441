/* Cholesky factor A = L L^T of a symmetric positive definite matrix, stored within its envelope.
 *
 * Row i keeps the columns first[i] .. i, where first[i] is the column of the row's first entry: elimination fills in nothing
 * to its left (George and Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 4). One code thus
 * serves dense matrices (first = 0), banded ones (first[i] = i - bandwidth) and small sparse ones. The diagonal holds 1 /
 * L_ii once factored. */
#ifndef CST_SPARSE_ENVELOPE_CHOLESKY_H
#define CST_SPARSE_ENVELOPE_CHOLESKY_H

#include "base/arena.h"

typedef struct cst_envelope {
    int size;
    int32_t *first; /* (size) */
    int64_t *start; /* (size + 1) where row i begins in `entry` */
    double *entry;
} cst_envelope;

/* An empty matrix with out->first all zero (dense), to be raised where rows begin later. false: out of memory. */
bool cst_envelope_begin(cst_arena *arena, int size, cst_envelope *out);

/* The entries, all zero, once `first` is final. false: out of memory. */
bool cst_envelope_open(cst_arena *arena, cst_envelope *matrix);

/* Row of the lower triangle, indexed by column: first[row] .. row. */
static inline double *cst_envelope_row(const cst_envelope *matrix, int row)
{
    return matrix->entry + matrix->start[row] - matrix->first[row];
}

/* Factor in place; -1 if it went well, otherwise the row at which the matrix was found not to be positive definite. */
int cst_envelope_factor(cst_envelope *matrix);

/* The same for a matrix that may be only semi-definite: a row whose pivot is not above floor times its diagonal depends on those
 * before it and is left out (its 1 / L_ii is 0, and with it its place in every solution). Returns how many were. */
int cst_envelope_factor_semidefinite(cst_envelope *matrix, double floor);

/* X <- L^-1 X for `columns` (1 to 3) vectors that are zero before row `from`, as are the answers: x holds the rows from
 * there on, vector c at x + c * stride. */
void cst_envelope_forward(const cst_envelope *factor, int columns, int64_t stride, int from, double *x);

/* x <- L^-T x */
void cst_envelope_backward(const cst_envelope *factor, double *x);

#endif
