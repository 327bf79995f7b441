/* Products with a Cholesky factor of envelope_cholesky.h, used to check a factor. */
#ifndef CST_SPARSE_ENVELOPE_PRODUCT_H
#define CST_SPARSE_ENVELOPE_PRODUCT_H

#include "sparse/envelope_cholesky.h"

/* The function cst_envelope_lower computes y = L x, and cst_envelope_lower_transposed computes y = L^T x. The arrays x and y
 * must be different. */
void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y);
void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y);

#endif
