#include "friction/body_defect.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/simd.h"

typedef double vec4 __attribute__((vector_size(32), aligned(8)));
enum { LANES = 4 };

/* SOLVE_AIM, SOLVE_USABLE: target and largest accepted value of the relative defect of a solution by the caller's solve function.
 * The measured relative defects of solutions for super helices (1 to 300 elements) and planar rods (1 to 1,000 elements) are
 * 1e-16 to 1e-15 (tests/test_body_defect.c). */
static const double SOLVE_AIM = 1e-13, SOLVE_USABLE = 1e-10;

/* Row i of the lower triangle of the body's matrix, indexed by column. */
static inline const double *row_of(const cst_body *body, int i)
{
    if (body->kind == CST_BODY_DENSE)
        return body->matrix + (int64_t)i * body->size;
    return body->matrix + (int64_t)i * body->bandwidth + body->bandwidth;
}

static inline int first_of(const cst_body *body, int i)
{
    return body->kind == CST_BODY_DENSE || i < body->bandwidth ? 0 : i - body->bandwidth;
}

double cst_body_diagonal(const cst_body *body, int k)
{
    assert(body->kind == CST_BODY_DENSE || body->kind == CST_BODY_BAND);
    return row_of(body, k)[k];
}

bool cst_body_has_defect(const cst_body *body)
{
    return body->kind == CST_BODY_DENSE || body->kind == CST_BODY_BAND || (body->kind == CST_BODY_SOLVE && body->defect);
}

/* Returns the dot product of a row of the lower triangle with x, and adds x_i times the row to y. The product of the symmetric
 * matrix with x is the sum of three vectors: the dot products of all rows, the vector y, and the diagonal terms. The four partial
 * sums of the dot product are added in a fixed order, so the result does not depend on the vector width of the processor. */
static inline __attribute__((always_inline)) double read_row(const double *row, int count, const double *x, double x_i, double *y)
{
    vec4 sums = {0};
    int k = 0;
    for (; k + LANES <= count; k += LANES) {
        const vec4 part = *(const vec4 *)(row + k);
        sums += part * *(const vec4 *)(x + k);
        *(vec4 *)(y + k) += part * x_i;
    }
    double rest = 0.0;
    for (; k < count; k++) {
        rest += row[k] * x[k];
        y[k] += row[k] * x_i;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

CST_MULTIVERSION
bool cst_body_defect(const cst_body *body, double *x, const double *f, double *defect, double *terms)
{
    assert(cst_body_has_defect(body));
    if (body->kind == CST_BODY_SOLVE)
        return body->defect(body->user, x, f, defect, terms);
    const int n = body->size;
    double sum_of_sizes = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = row_of(body, i), x_i = x[i];
        const int first = first_of(body, i);
        const double sum = row[i] * x_i + read_row(row + first, i - first, x + first, x_i, defect + first);
        defect[i] = sum - (f ? f[i] : 0.0);
        terms[i] = sqrt(row[i]);
        sum_of_sizes += terms[i] * fabs(x_i);
    }
    for (int i = 0; i < n; i++)
        terms[i] = terms[i] * sum_of_sizes + (f ? fabs(f[i]) : 0.0);
    return true;
}

double cst_body_defect_share(const cst_body *body, const double *defect, const double *terms)
{
    double largest = 0.0;
    for (int k = 0; k < body->size; k++) {
        const double share = defect[k] == 0.0 ? 0.0 : fabs(defect[k]) / terms[k];
        if (!(share <= largest))
            largest = isnan(share) ? HUGE_VAL : share;
    }
    return largest;
}

double cst_body_rounding(const cst_body *body)
{
    return body->kind == CST_BODY_SOLVE ? SOLVE_AIM : 4.0 * (body->size + 4) * DBL_EPSILON;
}

double cst_body_rounding_usable(const cst_body *body)
{
    return body->kind == CST_BODY_SOLVE ? SOLVE_USABLE : cst_body_rounding(body);
}
