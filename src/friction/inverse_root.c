#include "friction/inverse_root.h"

#include <math.h>

cst_status cst_inverse_root_find(const cst_bodies *bodies, int body, cst_arena *arena, cst_inverse_root *out)
{
    /* SINGULAR: a pivot of the Cholesky factorisation counts as zero if it is at most SINGULAR times the diagonal entry of the
     * matrix, because it is then only rounding error. */
    static const double SINGULAR = 1e-13;
    const int n = bodies->problem->body[body].size;
    const size_t size = (size_t)n;
    double *c = CST_TAKE(arena, double, size *size);
    double *column = CST_TAKE_RAW(arena, double, size);
    *out = (cst_inverse_root){.size = n, .c = c};
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            column[i] = i == j ? 1.0 : 0.0;
        if (!cst_bodies_solve(bodies, body, column))
            return CST_BAD_PROBLEM;
        for (int i = j; i < n; i++)
            c[(size_t)i * size + (size_t)j] = column[i];
    }
    for (int j = 0; j < n; j++) {
        double *row_j = c + (size_t)j * size, pivot = row_j[j];
        const double whole = pivot;
        for (int k = 0; k < j; k++)
            pivot -= row_j[k] * row_j[k];
        const double root = pivot > SINGULAR * whole ? sqrt(pivot) : 0.0;
        row_j[j] = root;
        for (int i = j + 1; i < n; i++) {
            double *row_i = c + (size_t)i * size, sum = row_i[j];
            for (int k = 0; k < j; k++)
                sum -= row_i[k] * row_j[k];
            row_i[j] = root > 0.0 ? sum / root : 0.0;
        }
    }
    return CST_SOLVED;
}

double cst_inverse_root_entry(const cst_inverse_root *root, int count, const int32_t *dof, const double *h, int j)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        if (dof[k] >= j)
            sum += h[k] * root->c[(size_t)dof[k] * (size_t)root->size + (size_t)j];
    return sum;
}
