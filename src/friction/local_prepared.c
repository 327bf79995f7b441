/* The direct local solver for sweeps: the computation of local_direct.c and local_direct_2d.c, without checks and scaling. All
 * quantities that depend only on the contact's matrix W are computed in advance.
 *
 * Contacts with friction and a singular matrix W, contacts for which Newton's method does not converge, and contacts with too
 * large an impulse are solved by cst_local_solve, which checks and scales the problem. Contacts for which squares or cubes of the
 * entries of W or b, or of the friction coefficient, may overflow or underflow, are also solved by cst_local_solve (W: matrix, b:
 * free velocity of the contact). */
#include "friction/local.h"
#include "friction/local_methods.h"
#include "math/small_matrix.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(cst_local_direct3, W) <= 128 && sizeof(cst_local_direct3) == 192, "what a solve reads: two cache lines");

enum { NEWTON_STEPS_MAX = 12 };

/* The solver of this file is used only within the limits MAGNITUDE_MIN and LIMIT_MAX; outside them, cst_local_solve is used.
 * MAGNITUDE_MIN: the trace of the contact's matrix W and the friction coefficient (unless it is 0) must be between MAGNITUDE_MIN
 * and 1 / MAGNITUDE_MIN. The normal diagonal entry of W must be at least MAGNITUDE_MIN times the trace, and the contact must
 * approach faster than MAGNITUDE_MIN. LIMIT_MAX: the square of the largest accepted impulse, impulse_limit |b|^2, must be below
 * LIMIT_MAX (b: free velocity of the contact). */
#define MAGNITUDE_MIN 1e-60
#define LIMIT_MAX 1e280

static cst_local_mode mode_of(double trace, double normal, double mu, bool definite)
{
    bool ordinary = trace >= MAGNITUDE_MIN && trace <= 1.0 / MAGNITUDE_MIN && normal >= MAGNITUDE_MIN * trace;
    if (ordinary && mu == 0.0 && normal > 1e-8 * trace)
        return CST_MODE_FRICTIONLESS;
    return ordinary && definite && mu >= MAGNITUDE_MIN && mu <= 1.0 / MAGNITUDE_MIN ? CST_MODE_FAST : CST_MODE_CAREFUL;
}

static double impulse_limit(double weight)
{
    double limit = CST_IMPULSE_LIMIT / weight;
    return limit * limit;
}

static cst_local_status solve_carefully(int dim, const double *W, const double *b, double mu, double *alpha, double *r)
{
    cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, dim, W, b, mu, 0.0, r);
    *alpha = result.alpha;
    return result.status;
}

static cst_local_status take_off(int dim, double *r)
{
    memset(r, 0, (size_t)dim * sizeof *r);
    return CST_LOCAL_SOLVED;
}

/* --------------------------------------------------------------------------------------------------------------------- 3D */

void cst_local_direct3_prepare(const double W[9], double mu, cst_local_direct3 *out)
{
    *out = (cst_local_direct3){0};
    memcpy(out->W, W, sizeof out->W);
    double trace = W[0] + W[4] + W[8];
    cst_definiteness definiteness = cst_local_reduce(W, mu, &out->reduction);
    out->mode = (uint8_t)mode_of(trace, W[0], mu, definiteness == CST_POSITIVE_DEFINITE);
    if (out->mode == CST_MODE_CAREFUL)
        return;
    const cst_local_reduction *w = &out->reduction;
    out->stick = 1.0 / (w->lambda1 * w->lambda2 + w->kappa * w->kappa);
    out->impulse_limit = impulse_limit(trace / 3.0);
    out->on_cone = cst_local_prefers_cone(W, mu);
}

cst_local_status cst_local_direct3_solve(cst_local_direct3 *prepared, const double b[3], double r[3])
{
    if (b[0] >= 0.0)
        return take_off(3, r);
    const cst_local_reduction *w = &prepared->reduction;
    double limit = prepared->impulse_limit * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    bool ordinary = b[0] < -MAGNITUDE_MIN && limit < LIMIT_MAX;
    if (ordinary && prepared->mode == CST_MODE_FRICTIONLESS) {
        r[0] = -b[0] * w->inverse_normal;
        r[1] = r[2] = 0.0;
        return CST_LOCAL_SOLVED;
    }
    if (ordinary && prepared->mode == CST_MODE_FAST) {
        double x[3];
        cst_sliding_load load = cst_sliding_load_of(w, b);

        /* tests whether the sticking impulse is in the friction cone; the test compares squares and needs no division */
        double v1 = w->lambda2 * load.b1 - w->kappa * load.b2, v2 = w->lambda1 * load.b2 + w->kappa * load.b1;
        double x1 = -v1 * prepared->stick, x2 = -v2 * prepared->stick;
        double normal = load.c - w->row1 * x1 - w->row2 * x2, radius = w->mu * normal;
        if (normal > 0.0 && x1 * x1 + x2 * x2 <= radius * radius) {
            x[0] = normal;
            x[1] = w->cosine * x1 - w->sine * x2;
            x[2] = w->sine * x1 + w->cosine * x2;
            if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= limit) {
                memcpy(r, x, sizeof x);
                return CST_LOCAL_SOLVED;
            }
        } else {
            double alpha = prepared->alpha > 0.0 ? prepared->alpha : cst_sliding_guess(w, &load);
            double low = 0.0, high = INFINITY;
            for (int step = 0; alpha > low && alpha < high && step <= NEWTON_STEPS_MAX; ++step) {
                cst_sliding_value at = cst_sliding_at(w, &load, alpha);
                if (fabs(at.h) < at.rounding) {
                    cst_sliding_impulse(w, &at, prepared->on_cone, x);
                    if (!(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] <= limit))
                        break;
                    prepared->alpha = alpha;
                    memcpy(r, x, sizeof x);
                    return CST_LOCAL_SOLVED;
                }
                if (at.h < 0.0)
                    low = alpha;
                else
                    high = alpha;
                alpha = at.newton;
            }
        }
    }
    return solve_carefully(3, prepared->W, b, w->mu, &prepared->alpha, r);
}

/* --------------------------------------------------------------------------------------------------------------------- 2D */

void cst_local_direct2_prepare(const double W[4], double mu, cst_local_direct2 *out)
{
    *out = (cst_local_direct2){.mu = mu, .inverse_normal = 1.0 / W[0]};
    memcpy(out->W, W, sizeof out->W);
    double trace = W[0] + W[3];
    out->row = W[1] * out->inverse_normal;
    out->column = W[2] * out->inverse_normal;
    double tangential = W[3] - W[2] * out->row;
    out->mode = (uint8_t)mode_of(trace, W[0], mu, tangential > CST_SINGULAR_BAND * trace);
    if (out->mode == CST_MODE_CAREFUL)
        return;
    out->stick = 1.0 / tangential;
    out->slide_up = 1.0 / (W[0] + mu * W[1]);
    out->slide_down = 1.0 / (W[0] - mu * W[1]);
    out->impulse_limit = impulse_limit(0.5 * trace);
}

cst_local_status cst_local_direct2_solve(const cst_local_direct2 *prepared, const double b[2], double r[2])
{
    const cst_local_direct2 *p = prepared;
    if (b[0] >= 0.0)
        return take_off(2, r);
    double limit = p->impulse_limit * (b[0] * b[0] + b[1] * b[1]);
    bool ordinary = b[0] < -MAGNITUDE_MIN && limit < LIMIT_MAX;
    if (ordinary && p->mode == CST_MODE_FRICTIONLESS) {
        r[0] = -b[0] * p->inverse_normal;
        r[1] = 0.0;
        return CST_LOCAL_SOLVED;
    }
    if (ordinary && p->mode == CST_MODE_FAST) {
        double c = -b[0] * p->inverse_normal, load = b[1] - b[0] * p->column;
        double x[2] = {0.0, -load * p->stick};
        x[0] = c - p->row * x[1];
        if (!(fabs(x[1]) <= p->mu * x[0])) {
            x[0] = -b[0] * (load > 0.0 ? p->slide_down : p->slide_up);
            x[1] = (load > 0.0 ? -p->mu : p->mu) * x[0];
        }
        if (x[0] * x[0] + x[1] * x[1] <= limit) {
            memcpy(r, x, sizeof x);
            return CST_LOCAL_SOLVED;
        }
    }
    double alpha;
    return solve_carefully(2, p->W, b, p->mu, &alpha, r);
}

/* -------------------------------------------------------------------------------------------------------------- bilateral */

/* Computes the contact velocity W r + b (W: matrix of the contact, r: impulse, b: free velocity) and writes it to `rest`. Returns
 * true if the contact velocity is zero up to the rounding errors of its computation. */
static bool is_zero_to_rounding(int dim, const double *W, const double *b, const double *r, double *rest)
{
    double error = 0.0, size = 0.0;
    for (int k = 0; k < dim; ++k) {
        double terms = fabs(b[k]);
        rest[k] = b[k];
        for (int l = 0; l < dim; ++l) {
            terms += fabs(W[k * dim + l] * r[l]);
            rest[k] += W[k * dim + l] * r[l];
        }
        error = fmax(error, fabs(rest[k]));
        size = fmax(size, terms);
    }
    return error <= 8.0 * DBL_EPSILON * size && size <= DBL_MAX;
}

cst_local_status cst_local_bilateral(int dim, const double *W, const double *b, double *r)
{
    double x[3], rest[3], correction[3];
    int rank = cst_small_solve(dim, W, b, 1e-15, x);
    for (int k = 0; k < dim; ++k)
        x[k] = -x[k];
    bool solved = is_zero_to_rounding(dim, W, b, x, rest);
    if (!solved) { /* one refinement step */
        cst_small_solve(dim, W, rest, 1e-15, correction);
        for (int k = 0; k < dim; ++k)
            x[k] -= correction[k];
        solved = is_zero_to_rounding(dim, W, b, x, rest);
    }
    double size = cst_small_dot(dim, x, x);
    if (!(size <= DBL_MAX))
        return CST_LOCAL_FAILED; /* r is unchanged */
    memcpy(r, x, (size_t)dim * sizeof *r);
    if (!solved)
        return rank < dim ? CST_LOCAL_NO_SOLUTION : CST_LOCAL_FAILED;
    double weight = 0.0;
    for (int k = 0; k < dim; ++k)
        weight += W[k * dim + k] / dim;
    return size <= impulse_limit(weight) * cst_small_dot(dim, b, b) ? CST_LOCAL_SOLVED : CST_LOCAL_ILL_POSED;
}
