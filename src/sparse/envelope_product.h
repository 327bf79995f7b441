/* Products with a Cholesky factor of envelope_cholesky.h, used to check a factor. */
#ifndef CST_SPARSE_ENVELOPE_PRODUCT_H
#define CST_SPARSE_ENVELOPE_PRODUCT_H

#include "sparse/envelope_cholesky.h"

/* Compute the products y = L x and y = L^T x with the lower triangular Cholesky factor L. `x` and `y` must differ. */
void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y);
void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y);

#endif
