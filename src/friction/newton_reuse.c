#include "friction/newton_reuse.h"

#include <string.h>

#include "math/small_matrix.h"

/* If a factorisation of Newton's matrix takes more than REUSE_FLOPS floating-point operations, later linear systems are solved
 * with the factors of an earlier Newton matrix (docs/constants.md). */
static const double REUSE_FLOPS = 1e8;
/* GMRES stops when the defect of Newton's linear system is at most TOLERANCE times the right-hand side. With TOLERANCE = 1e-4, a
 * Newton step can still reduce the error by a factor of about 1000; while contacts change their states, even exact Newton steps
 * reduce the error far less. The number of Newton steps is the same with the GMRES tolerance 1e-4 and with 1e-7
 * (docs/constants.md). */
static const double TOLERANCE = 1e-4;
enum { MOST = 60 }; /* largest number of GMRES iterations in a solve */

/* Replaces the right-hand side x by an impulse change, the solution of the linear system with the earlier, factorised Newton
 * matrix. The function also stores the velocity change that the impulse change causes, because the function `apply` needs it to
 * multiply by Newton's matrix. */
static void precondition(void *user, double *x)
{
    cst_newton_reuse *reuse = user;
    const size_t bytes = sizeof *x * (size_t)reuse->gmres.size;
    memset(reuse->dx, 0, bytes);
    cst_newton_nodes_solve(reuse->nodes, x, reuse->dx, reuse->response);
    memcpy(x, reuse->dx, bytes);
}

/* Multiplies Newton's matrix by the vector x, which must be the last result of the preconditioner (function `precondition`). */
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
