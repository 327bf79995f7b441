/* Products with a Cholesky factor L (envelope_cholesky.h), used to check a factor. */
#ifndef CST_SPARSE_ENVELOPE_PRODUCT_H
#define CST_SPARSE_ENVELOPE_PRODUCT_H

#include "sparse/envelope_cholesky.h"

/* Compute y = L x and y = L^T x with a Cholesky factor L; x and y must be different arrays. */
void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y);
void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y);

#endif
