#include "sparse/envelope_product.h"

#include <assert.h>
#include <string.h>

void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y)
{
    assert(x != y);
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        double sum = x[i] / row[i]; /* the diagonal holds 1 / L_ii */
        for (int k = factor->first[i]; k < i; k++)
            sum += row[k] * x[k];
        y[i] = sum;
    }
}

void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y)
{
    assert(x != y);
    memset(y, 0, sizeof(double) * (size_t)factor->size);
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        for (int k = factor->first[i]; k < i; k++)
            y[k] += row[k] * x[i];
        y[i] += x[i] / row[i];
    }
}
