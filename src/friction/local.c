/* Solves the friction problem of one contact: scales it, solves trivial cases, runs the chosen method, and computes the
 * residual. The impulse r and the velocity u = W r + b of the contact, with its matrix W and its free velocity b, must satisfy
 * the Coulomb law with the friction coefficient mu.
 *
 * The residual is the same for every method, the Alart-Curnier function of a scaled impulse and a scaled velocity:
 *
 *     `r' = trace(W)*r/(dim*|b|)`.
 *     `u' = u/|b|`. */
#include "friction/local.h"
#include "friction/cone.h"
#include "friction/local_methods.h"
#include "math/small_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    cst_local_method method; /* NULL: exact method, called by solve_scaled */
} methods[CST_LOCAL_COUNT] = {
    [CST_LOCAL_DIRECT] = {"direct", NULL},
    [CST_LOCAL_FISCHER_BURMEISTER] = {"mfb", cst_local_fischer_burmeister},
    [CST_LOCAL_QUARTIC] = {"quartic", cst_local_quartic},
    [CST_LOCAL_ALART_CURNIER] = {"ac", cst_local_alart_curnier},
    [CST_LOCAL_ALART_CURNIER_DAMPED] = {"ac-damped", cst_local_alart_curnier_damped},
    [CST_LOCAL_DURIEZ06] = {"duriez06", cst_local_duriez06},
    [CST_LOCAL_DURIEZ08] = {"duriez08", cst_local_duriez08},
    [CST_LOCAL_PYRAMID] = {"pyramid", cst_local_pyramid},
};

const char *cst_local_solver_name(cst_local_solver solver)
{
    return (unsigned)solver < CST_LOCAL_COUNT ? methods[solver].name : "unknown";
}

bool cst_local_solver_from_name(const char *name, cst_local_solver *out)
{
    for (int k = 0; k < CST_LOCAL_COUNT; ++k) {
        if (strcmp(name, methods[k].name) == 0) {
            *out = (cst_local_solver)k;
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------------------------------------------------------- judgement */

void cst_local_velocity(const cst_local_problem *problem, const double *r, double *u)
{
    cst_small_apply(problem->dim, problem->W, r, u);
    for (int k = 0; k < problem->dim; ++k)
        u[k] += problem->b[k];
}

double cst_local_magnitude(const cst_local_problem *problem, const double *r)
{
    return sqrt(cst_small_dot(problem->dim, r, r)) * problem->weight / problem->speed;
}

double cst_local_rounding_floor(const cst_local_problem *problem, const double *r)
{
    return 8.0 * DBL_EPSILON * (1.0 + cst_local_magnitude(problem, r)) * (1.0 + problem->mu);
}

double cst_local_error(const cst_local_problem *problem, const double *r)
{
    double u[3], scaled[3], f[3];
    double inverse = 1.0 / problem->speed;
    cst_local_velocity(problem, r, u);
    for (int k = 0; k < problem->dim; ++k) {
        scaled[k] = r[k] * problem->weight * inverse;
        u[k] *= inverse;
    }
    cst_alart_curnier(problem->dim, problem->mu, scaled, u, f);
    return sqrt(cst_small_dot(problem->dim, f, f));
}

bool cst_local_meets(const cst_local_problem *problem, const double *r, double tolerance)
{
    double floor = cst_local_rounding_floor(problem, r);
    return cst_local_magnitude(problem, r) <= CST_IMPULSE_LIMIT &&
           cst_local_error(problem, r) <= (tolerance > floor ? tolerance : floor);
}

void cst_local_cold_start(const cst_local_problem *problem, double *r)
{
    int dim = problem->dim;
    double stick[3];
    int rank = cst_small_solve(dim, problem->W, problem->b, 1e-14, stick);
    for (int k = 0; k < dim; ++k)
        stick[k] = -stick[k];
    cst_cone_project(dim, problem->mu, stick, r);
    if (rank < dim || !(r[0] > 0.0)) {
        memset(r, 0, (size_t)dim * sizeof *r);
        r[0] = -problem->b[0] / problem->W[0];
    }
}

/* ---------------------------------------------------------------------------------------------------------------- scaling */

/* Returns the exponent n for which x / 2^n is between 0.5 and 1 (x > 0), limited to +-1000. */
static int binary_exponent(double x)
{
    int exponent = 0;
    frexp(x, &exponent);
    return exponent > 1000 ? 1000 : exponent < -1000 ? -1000 : exponent;
}

static bool all_finite(int count, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < count; ++k)
        sum += 0.0 * x[k]; /* NaN if x[k] is not finite */
    return sum == 0.0;
}

static double largest_magnitude(int count, const double *x)
{
    double largest = 0.0;
    for (int k = 0; k < count; ++k)
        largest = fabs(x[k]) > largest ? fabs(x[k]) : largest;
    return largest;
}

static void multiply_by_power(int count, double *x, int exponent)
{
    if (abs(exponent) <= 1000) { /* the factor is a normal number */
        double factor = ldexp(1.0, exponent);
        for (int k = 0; k < count; ++k)
            x[k] *= factor;
    } else {
        for (int k = 0; k < count; ++k)
            x[k] = ldexp(x[k], exponent);
    }
}

/* Scaling of a contact problem by powers of two, which causes no rounding error. */
typedef struct scaling {
    /* the matrix W is divided by 2^w, the free velocity by 2^b, the impulse by 2^(b - w), and the ratio alpha of tangential speed
     * to tangential impulse by 2^w */
    int w, b;
} scaling;

static scaling scale_problem(int dim, const double *W, const double *b, double mu, double tolerance, cst_local_problem *out)
{
    scaling scale = {.w = binary_exponent(largest_magnitude(dim * dim, W)), .b = binary_exponent(largest_magnitude(dim, b))};
    double w_factor = ldexp(1.0, -scale.w), b_factor = ldexp(1.0, -scale.b);
    *out = (cst_local_problem){.dim = dim, .mu = mu, .tolerance = tolerance};
    for (int k = 0; k < dim * dim; ++k)
        out->W[k] = W[k] * w_factor;
    for (int k = 0; k < dim; ++k) {
        out->b[k] = b[k] * b_factor;
        out->weight += out->W[k * dim + k] / dim;
    }
    out->speed = sqrt(cst_small_dot(dim, out->b, out->b));
    return scale;
}

/* Scales the problem of a contact so that its compliance trace(W)/dim and its free speed |b| are one, for methods that depend on
 * the scale. */
static cst_local_problem normalise(const cst_local_problem *problem)
{
    cst_local_problem out = *problem;
    for (int k = 0; k < problem->dim * problem->dim; ++k)
        out.W[k] = problem->W[k] / problem->weight;
    for (int k = 0; k < problem->dim; ++k)
        out.b[k] = problem->b[k] / problem->speed;
    out.weight = out.speed = 1.0;
    return out;
}

/* ------------------------------------------------------------------------------------------------------------ one contact */

/* Finds whether the contact is open, sticks or slides, and computes the ratio alpha of tangential speed to tangential impulse. */
static void classify(const cst_local_problem *problem, const double *r, cst_local_result *result)
{
    int dim = problem->dim;
    double u[3];
    cst_local_velocity(problem, r, u);
    double sliding = 0.0, tangential = 0.0;
    for (int k = 1; k < dim; ++k) {
        sliding += u[k] * u[k];
        tangential += r[k] * r[k];
    }
    sliding = sqrt(sliding);
    tangential = sqrt(tangential);
    double floor = cst_local_rounding_floor(problem, r);
    double negligible = (problem->tolerance > floor ? problem->tolerance : floor) * problem->speed;
    if (!(r[0] > 0.0)) {
        result->contact_case = CST_CASE_TAKE_OFF;
    } else if (sliding <= negligible) {
        result->contact_case = CST_CASE_STICK;
    } else {
        result->contact_case = CST_CASE_SLIDE;
        result->alpha = tangential > 0.0 ? sliding / tangential : 0.0;
    }
}

static void solve_by_method(cst_local_method method, const cst_local_problem *problem, double *r, cst_local_result *result)
{
    cst_local_problem normal = normalise(problem);
    double to_normal = problem->weight / problem->speed;
    for (int k = 0; k < problem->dim; ++k)
        r[k] *= to_normal;
    result->iterations = method(&normal, r);
    for (int k = 0; k < problem->dim; ++k)
        r[k] /= to_normal;
    classify(problem, r, result);
    result->status = cst_local_meets(problem, r, problem->tolerance) ? CST_LOCAL_SOLVED : CST_LOCAL_FAILED;
}

/* Writes to `r` the impulse with the smallest error among three candidates: zero, the initial guess projected on the friction
 * cone, and the frictionless impulse. A candidate longer than CST_IMPULSE_LIMIT is not used. */
static void least_violation(const cst_local_problem *problem, const double *warm, double *r)
{
    double candidate[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    cst_cone_project(problem->dim, problem->mu, warm, candidate[0]);
    if (problem->W[0] > 0.0)
        candidate[1][0] = -problem->b[0] / problem->W[0];
    memset(r, 0, (size_t)problem->dim * sizeof *r);
    double best = cst_local_error(problem, r);
    for (int k = 0; k < 2; ++k) {
        double error = cst_local_error(problem, candidate[k]);
        if (error < best && cst_local_magnitude(problem, candidate[k]) <= CST_IMPULSE_LIMIT) {
            best = error;
            memcpy(r, candidate[k], (size_t)problem->dim * sizeof *r);
        }
    }
}

/* Solves the scaled problem of an approaching contact (b_N < 0). */
static void solve_scaled(cst_local_solver solver, const cst_local_problem *problem, double *r, cst_local_result *result)
{
    int dim = problem->dim;
    double warm[3] = {0.0, 0.0, 0.0};
    memcpy(warm, r, (size_t)dim * sizeof *warm);
    const double *W = problem->W;
    if (W[0] == 0.0 && W[1] == 0.0 && (dim == 2 || W[2] == 0.0)) {
        result->status = CST_LOCAL_NO_SOLUTION;
        result->certificate = "b_N < 0 and the normal row of W is zero: no impulse stops the approach";
    } else if (!(W[0] > 0.0 && problem->weight > 0.0)) {
        result->status = CST_LOCAL_FAILED;
        result->certificate = "W is not positive semi-definite";
    } else if (problem->mu == 0.0) {
        memset(r, 0, (size_t)dim * sizeof *r);
        r[0] = -problem->b[0] / W[0];
        result->contact_case = CST_CASE_SLIDE;
        result->status = cst_local_meets(problem, r, 0.0) ? CST_LOCAL_SOLVED : CST_LOCAL_ILL_POSED;
    } else if (methods[solver].method) {
        solve_by_method(methods[solver].method, problem, r, result);
        return; /* if the chosen method failed, the impulse is the best iterate of this method */
    } else {
        if (dim == 2)
            cst_local_direct_2d(problem, r, result);
        else
            cst_local_direct_3d(problem, r, result);
        if (result->status == CST_LOCAL_FAILED) { /* the direct solver found no answer */
            solve_by_method(cst_local_quartic, problem, r, result);
            if (result->status == CST_LOCAL_FAILED)
                result->certificate = "no answer found, and W is not positive semi-definite";
        }
    }
    if (result->status != CST_LOCAL_SOLVED)
        least_violation(problem, warm, r);
}

cst_local_result cst_local_solve(cst_local_solver solver, int dim, const double *W, const double *b, double mu, double tolerance,
                                 double *r)
{
    cst_local_result result = {.status = CST_LOCAL_FAILED, .contact_case = CST_CASE_TAKE_OFF, .error = INFINITY};
    size_t bytes = (size_t)dim * sizeof *r;
    if ((unsigned)solver >= CST_LOCAL_COUNT) {
        memset(r, 0, bytes);
        result.certificate = "there is no such local solver";
        return result;
    }
    if (!(mu >= 0.0 && mu <= DBL_MAX) || !all_finite(dim * dim, W) || !all_finite(dim, b)) {
        memset(r, 0, bytes);
        result.certificate = "the data are not finite, or mu is negative";
        return result;
    }
    if (b[0] >= 0.0) {
        memset(r, 0, bytes);
        result.status = CST_LOCAL_SOLVED;
        result.error = 0.0;
        return result;
    }
    cst_local_problem problem;
    if (!methods[solver].method)
        tolerance = 0.0; /* exact methods iterate to rounding */
    scaling scale = scale_problem(dim, W, b, mu, tolerance, &problem);
    multiply_by_power(dim, r, scale.w - scale.b);
    if (!all_finite(dim, r) || largest_magnitude(dim, r) > 1e100)
        memset(r, 0, bytes); /* an unusable warm start */

    solve_scaled(solver, &problem, r, &result);
    result.error = cst_local_error(&problem, r);
    multiply_by_power(dim, r, scale.b - scale.w);
    multiply_by_power(1, &result.alpha, scale.w);
    if (!all_finite(dim, r)) {
        memset(r, 0, bytes);
        result.status = CST_LOCAL_FAILED;
        result.certificate = "the impulse is beyond the range of double precision";
    }
    return result;
}
