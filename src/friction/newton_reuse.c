#include "friction/newton_reuse.h"

#include <string.h>

#include "math/small_matrix.h"

/* REUSE_FLOPS: if a factorisation of Newton's matrix takes more than REUSE_FLOPS operations, later Newton steps use its factors
 * again (docs/constants.md). */
static const double REUSE_FLOPS = 1e8;
/* TOLERANCE: the GMRES iteration stops when the defect of the linear system is at most TOLERANCE times the right-hand side. A
 * Newton step with a GMRES tolerance of 1e-4 can still reduce the error by a factor of about 1000. The number of Newton steps is
 * the same with the GMRES tolerances 1e-4 and 1e-7 (docs/constants.md). */
static const double TOLERANCE = 1e-4;
enum { MOST = 60 }; /* largest number of GMRES iterations in a solve */

/* Replaces the vector x by the solution of the linear system with the earlier Newton matrix and the right-hand side x. Stores the
 * change of the contact velocities that the solution causes, for the function `apply`. */
static void precondition(void *user, double *x)
{
    cst_newton_reuse *reuse = user;
    const size_t bytes = sizeof *x * (size_t)reuse->gmres.size;
    memset(reuse->dx, 0, bytes);
    cst_newton_nodes_solve(reuse->nodes, x, reuse->dx, reuse->response);
    memcpy(x, reuse->dx, bytes);
}

/* Multiplies Newton's matrix by the vector x, the last result of the function `precondition`. */
static void apply(void *user, const double *x, double *out)
{
    const cst_newton_reuse *reuse = user;
    const int dim = reuse->nodes->system->dim;
    for (int i = 0; i < reuse->nodes->system->contacts; i++) {
        const int64_t at = (int64_t)i * dim;
        double u[3], of_x[3], of_u[3];
        for (int c = 0; c < dim; c++)
            u[c] = reuse->response[at + c] + reuse->rho * x[at + c];
        cst_small_apply(dim, reuse->f_r + at * dim, x + at, of_x);
        cst_small_apply(dim, reuse->f_u + at * dim, u, of_u);
        for (int c = 0; c < dim; c++)
            out[at + c] = of_x[c] + of_u[c];
    }
}

bool cst_newton_reuse_pays(const cst_newton_nodes *nodes)
{
    return nodes->lu.flops > REUSE_FLOPS;
}

bool cst_newton_reuse_begin(cst_arena *arena, const cst_newton_nodes *nodes, cst_newton_reuse *reuse)
{
    const int size = nodes->system->contacts * nodes->system->dim;
    *reuse = (cst_newton_reuse){.gmres = {.size = size, .most = MOST, .apply = apply, .precondition = precondition},
                                .tolerance = TOLERANCE,
                                .dx = CST_TAKE_RAW(arena, double, (size_t)size),
                                .response = CST_TAKE_RAW(arena, double, (size_t)size)};
    reuse->ready = cst_gmres_begin(arena, &reuse->gmres);
    return reuse->ready;
}

bool cst_newton_reuse_solve(cst_newton_reuse *reuse, cst_newton_nodes *nodes, const double *f_r, const double *f_u, double rho,
                            double *x)
{
    reuse->nodes = nodes;
    reuse->f_r = f_r;
    reuse->f_u = f_u;
    reuse->rho = rho;
    reuse->gmres.user = reuse;
    return cst_gmres_solve(&reuse->gmres, reuse->tolerance, x) >= 0;
}
