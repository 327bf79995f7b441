#include "sparse/envelope_product.h"

#include <assert.h>
#include <string.h>

#include "base/simd.h"

/* Four partial sums, as in envelope_cholesky.c. */
typedef double vec4 __attribute__((vector_size(32), aligned(8)));
enum { LANES = 4 };

CST_MULTIVERSION
void cst_envelope_lower(const cst_envelope *factor, const double *x, double *y)
{
    assert(x != y);
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        vec4 sum = {0};
        double rest = 0.0;
        int k = factor->first[i];
        for (; k + LANES <= i; k += LANES)
            sum += *(const vec4 *)(row + k) * *(const vec4 *)(x + k);
        for (; k < i; k++)
            rest += row[k] * x[k];
        y[i] = x[i] / row[i] + ((sum[0] + sum[1]) + (sum[2] + sum[3]) + rest); /* the diagonal holds 1 / L_ii */
    }
}

CST_MULTIVERSION
void cst_envelope_lower_transposed(const cst_envelope *factor, const double *x, double *y)
{
    assert(x != y);
    memset(y, 0, sizeof(double) * (size_t)factor->size);
    for (int i = 0; i < factor->size; i++) {
        const double *row = cst_envelope_row(factor, i);
        int k = factor->first[i];
        for (; k + LANES <= i; k += LANES)
            *(vec4 *)(y + k) += *(const vec4 *)(row + k) * x[i];
        for (; k < i; k++)
            y[k] += row[k] * x[i];
        y[i] += x[i] / row[i];
    }
}
