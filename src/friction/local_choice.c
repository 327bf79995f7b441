#include "friction/local_choice.h"

#include <string.h>

#include "friction/local.h"

size_t cst_local_prepared_size(int dim)
{
    return dim == 3 ? sizeof(cst_local_direct3) : sizeof(cst_local_direct2);
}

void cst_local_prepare(int dim, const double *W, double mu, void *prepared, int contact)
{
    if (dim == 3)
        cst_local_direct3_prepare(W, mu, (cst_local_direct3 *)prepared + contact);
    else
        cst_local_direct2_prepare(W, mu, (cst_local_direct2 *)prepared + contact);
}

static cst_local_status solve_direct(int dim, void *prepared, int contact, const double *beta, double *r)
{
    if (dim == 3)
        return cst_local_direct3_solve((cst_local_direct3 *)prepared + contact, beta, r);
    return cst_local_direct2_solve((cst_local_direct2 *)prepared + contact, beta, r);
}

static const double *matrix_of(int dim, const void *prepared, int contact)
{
    return dim == 3 ? ((const cst_local_direct3 *)prepared)[contact].W : ((const cst_local_direct2 *)prepared)[contact].W;
}

void cst_local_choice_solve(const cst_local_choice *choice, int dim, uint8_t law, double mu, void *prepared, int contact,
                            const double *beta, double *r, cst_local_count *count)
{
    const size_t bytes = sizeof(double) * (size_t)dim;
    cst_local_status status;
    double before[3];
    memcpy(before, r, bytes);
    count->solves++;
    if (law == CST_LAW_BILATERAL) {
        status = cst_local_bilateral(dim, matrix_of(dim, prepared, contact), beta, r);
    } else if (choice->solver == CST_LOCAL_DIRECT) {
        status = solve_direct(dim, prepared, contact, beta, r);
    } else {
        const double *W = matrix_of(dim, prepared, contact);
        status = cst_local_solve(choice->solver, dim, W, beta, mu, choice->tolerance, r).status;
        if (status != CST_LOCAL_SOLVED && choice->failsafe) {
            memcpy(r, before, bytes);
            status = solve_direct(dim, prepared, contact, beta, r);
            if (status == CST_LOCAL_SOLVED) {
                count->failures++;
                count->fallbacks++;
            }
        }
    }
    if (status == CST_LOCAL_SOLVED)
        return;
    count->failures++;
    if (status != CST_LOCAL_FAILED)
        memcpy(r, before, bytes);
}
