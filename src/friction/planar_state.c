#include "friction/planar_state.h"

#include <math.h>
#include <string.h>

#include "friction/cone.h"
#include "friction/local.h"

static const double ETA = 0.1;

void cst_planar_state(const double *A, double mu, const double *x, const double *y, double *f, double *f_r, double *f_u)
{
    const double W[4] = {A[0] + ETA, A[1], A[2], A[3] + ETA};
    const double b[2] = {y[0] - (W[0] * x[0] + W[1] * x[1]), y[1] - (W[2] * x[0] + W[3] * x[1])};
    double own[2] = {x[0], x[1]};
    cst_local_direct2 prepared;
    cst_local_direct2_prepare(W, mu, &prepared);
    if (cst_local_direct2_solve(&prepared, b, own) != CST_LOCAL_SOLVED) {
        cst_alart_curnier_jacobian(2, mu, x, y, f, f_r, f_u);
        return;
    }
    memset(f_r, 0, 4 * sizeof *f_r);
    memset(f_u, 0, 4 * sizeof *f_u);
    f[0] = -y[0];
    if (!(own[0] > 0.0)) {
        f[0] = -x[0];
        f[1] = -x[1];
        f_r[0] = f_r[3] = -1.0;
    } else if (fabs(own[1]) < mu * own[0]) {
        f[1] = -y[1];
        f_u[0] = f_u[3] = -1.0;
    } else {
        const double side = own[1] > 0.0 ? mu : -mu;
        f[1] = side * x[0] - x[1];
        f_u[0] = f_r[3] = -1.0;
        f_r[2] = side;
    }
}
