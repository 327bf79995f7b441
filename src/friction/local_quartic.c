/* Local solver that tries candidates for the impulse of one contact: first sticking, then sliding with each root of a quartic
 * (Daviet et al. 2011, appendix B). Sliding is not tried if the sticking impulse is a solution. Symbols (local_secular.h):
 *     `alpha`: tangential speed divided by tangential impulse.
 *     `W = [w_N,w_NT;w_TN,W_TT]`: contact's matrix.
 *     `b`: contact velocity without the impulse.
 *     `Wbar`, `btilde`: matrix W and velocity b after elimination of the normal impulse.
 *
 * The unknown of a sliding contact is the ratio alpha of its tangential speed to its tangential impulse. The squared cone
 * condition is a quartic equation P(alpha) = 0:
 *
 *     `q = det(Wbar+alpha*I)`.
 *     `v = adj(Wbar+alpha*I)*btilde`.
 *     `P = mu^2*(b_N*q-w_NT.v)^2 - w_N^2*|v|^2`.
 *
 * Squaring the cone condition adds roots with a negative normal impulse, for 3.5 to 15 % of the sliding contacts
 * (docs/maths_solvers.md, misprints 8 and 9). This file rejects roots of the quartic with a negative normal impulse; Daviet et
 * al. 2011 accept them. The roots of the quartic are refined by Newton steps on the cone condition mu r_N = |r_T| itself.
 *
 * If the contact's matrix W is ill-conditioned, the coefficients of the quartic lose digits, and the quartic solver fails on
 * contacts that the direct solver solves. The quartic solver has three uses: the fallback of Daviet et al. 2011, an independent
 * check, and contacts with an indefinite matrix W. */
#include "friction/local_methods.h"
#include "math/polynomial.h"
#include "math/small_matrix.h"

#include <math.h>
#include <string.h>

/* Copies the candidate impulse r to `best` if its error is the smallest so far. Candidates with a negative normal impulse, or
 * longer than CST_IMPULSE_LIMIT, are rejected. */
static void consider(const cst_local_problem *problem, const double *r, double *best, double *best_error)
{
    double error = r[0] >= 0.0 && cst_local_magnitude(problem, r) <= CST_IMPULSE_LIMIT ? cst_local_error(problem, r) : INFINITY;
    if (error < *best_error) {
        *best_error = error;
        memcpy(best, r, (size_t)problem->dim * sizeof *best);
    }
}

static void slides_in_2d(const cst_local_problem *problem, double *best, double *best_error)
{
    for (int s = -1; s <= 1; s += 2) {
        double r[3] = {0.0, 0.0, 0.0};
        r[0] = -problem->b[0] / (problem->W[0] + s * problem->mu * problem->W[1]);
        r[1] = s * problem->mu * r[0];
        consider(problem, r, best, best_error);
    }
}

/* Polynomials in alpha, the ratio of tangential speed to tangential impulse of a sliding contact in 3D. The polynomials q, v
 * and `normal` give the impulse of the contact: `r_T = -v/q`, `r_N = normal/q`. */
typedef struct sliding {
    double mu;
    double q[3];    /* q[k]: coefficient of alpha^k */
    double v[2][2]; /* v[component][k]: coefficient of alpha^k */
    double normal[3];
} sliding;

static sliding sliding_of(const cst_local_problem *problem)
{
    const double *W = problem->W, *b = problem->b;
    double row[2] = {W[1] / W[0], W[2] / W[0]}, column[2] = {W[3] / W[0], W[6] / W[0]}, c = -b[0] / W[0];
    double xx = W[4] - W[3] * row[0], xy = W[5] - W[3] * row[1];
    double yx = W[7] - W[6] * row[0], yy = W[8] - W[6] * row[1];
    double x = b[1] - b[0] * column[0], y = b[2] - b[0] * column[1];
    sliding out = {.mu = problem->mu, .q = {xx * yy - xy * yx, xx + yy, 1.0}, .v = {{yy * x - xy * y, x}, {xx * y - yx * x, y}}};
    for (int k = 0; k < 2; ++k)
        out.normal[k] = c * out.q[k] + row[0] * out.v[0][k] + row[1] * out.v[1][k];
    out.normal[2] = c;
    return out;
}

/* Computes the coefficients of the quartic P (see the top of this file), divided by w_N^2, the squared normal compliance. The
 * division by w_N^2 gives the coefficients of the quartic similar sizes. */
static void quartic_of(const sliding *s, double P[5])
{
    memset(P, 0, 5 * sizeof *P);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            P[i + j] += s->mu * s->mu * s->normal[i] * s->normal[j];
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j)
            P[i + j] -= s->v[0][i] * s->v[0][j] + s->v[1][i] * s->v[1][j];
    }
}

/* Refines a root alpha of the quartic by Newton steps on the function q (mu r_N - |r_T|), which is zero on the surface of the
 * friction cone (q: determinant, r_N: normal impulse, r_T: tangential impulse). */
static double polish(const sliding *s, double alpha)
{
    for (int step = 0; step < 4; ++step) {
        double v1 = s->v[0][0] + alpha * s->v[0][1], v2 = s->v[1][0] + alpha * s->v[1][1];
        double length = sqrt(v1 * v1 + v2 * v2);
        double h = s->mu * cst_polynomial_at(2, s->normal, alpha) - length;
        double slope = s->mu * (s->normal[1] + 2.0 * alpha * s->normal[2]) - (v1 * s->v[0][1] + v2 * s->v[1][1]) / length;
        double moved = alpha - h / slope;
        if (!(fabs(moved - alpha) <= 0.1 * alpha)) /* step too large for a refinement */
            break;
        alpha = moved;
    }
    return alpha;
}

static void slides_in_3d(const cst_local_problem *problem, double *best, double *best_error)
{
    sliding s = sliding_of(problem);
    double P[5], alpha[4];
    quartic_of(&s, P);
    int roots = cst_polynomial_positive_roots(4, P, alpha);
    for (int k = 0; k < roots; ++k) {
        double a = polish(&s, alpha[k]), inverse = 1.0 / cst_polynomial_at(2, s.q, a);
        double r[3] = {cst_polynomial_at(2, s.normal, a) * inverse, -(s.v[0][0] + a * s.v[0][1]) * inverse,
                       -(s.v[1][0] + a * s.v[1][1]) * inverse};
        consider(problem, r, best, best_error);
    }
}

int cst_local_quartic(const cst_local_problem *problem, double *r)
{
    int dim = problem->dim;
    double stick[3], best[3] = {0.0, 0.0, 0.0}, best_error = INFINITY;
    if (cst_small_solve(dim, problem->W, problem->b, 1e-15, stick) == dim) {
        for (int k = 0; k < dim; ++k)
            stick[k] = -stick[k];
        consider(problem, stick, best, &best_error);
    }
    if (!(best_error <= cst_local_rounding_floor(problem, best))) {
        if (dim == 2)
            slides_in_2d(problem, best, &best_error);
        else
            slides_in_3d(problem, best, &best_error);
    }
    memcpy(r, best, (size_t)dim * sizeof *r);
    return 1;
}
