/* Products with a Cholesky factor, the way back from envelope_cholesky.h: what checks a factor multiplies with it. */
#ifndef CST_SPARSE_ENVELOPE_PRODUCT_H
#define CST_SPARSE_ENVELOPE_PRODUCT_H

#include "sparse/envelope_cholesky.h"

/* y = L x and y = L^T x; y is not x. */
void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y);
void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y);

#endif
