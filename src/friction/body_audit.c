#include "friction/body_audit.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/prefetch.h"
#include "base/rng.h"
#include "friction/body_defect.h"
#include "friction/meeting.h"
#include "sparse/envelope_product.h"

enum { PARALLEL_MIN = 512, STREAM_FACTOR = 1, STREAM_HALVES = 2 };

/* SEEN: in the check of the caller's solve function, the largest accepted error of a contact velocity, divided by an upper bound
 * of this velocity. A relative error of 1e-8 in the stored solutions A^-1 H^T of the caller's solve function is harmless: the
 * residual uses them only for the compliances, which scale the errors of the contacts. */
static const double SEEN = 1e-8;

/* Returns a random number between 0.5 and 1 in absolute value, of either sign. */
static double draw(cst_rng *rng)
{
    const double x = cst_rng_range(rng, -0.5, 0.5);
    return x < 0.0 ? x - 0.5 : x + 0.5;
}

static bool is_factored(const cst_bodies *bodies, int body)
{
    const cst_body_kind kind = bodies->problem->body[body].kind;
    return kind == CST_BODY_DENSE || kind == CST_BODY_BAND;
}

bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch)
{
    const cst_body *given = bodies->problem->body + body;
    const int n = given->size;
    double *x = scratch, *y = scratch + n, *product = scratch + 2 * n, *terms = scratch + 3 * n;
    if (!is_factored(bodies, body))
        return true;
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)body, STREAM_FACTOR);
    for (int k = 0; k < n; k++) /* makes the check independent of units */
        x[k] = draw(&rng) / sqrt(cst_body_diagonal(given, k));
    cst_body_defect(given, x, NULL, product, terms);
    cst_envelope_lower_transposed(bodies->factor + body, x, y);
    cst_envelope_lower(bodies->factor + body, y, x);
    for (int k = 0; k < n; k++)
        product[k] -= x[k];
    return cst_body_defect_share(given, product, terms) <= cst_body_rounding(given);
}

bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch)
{
    const cst_body *given = bodies->problem->body + body;
    const int n = given->size;
    double *x = scratch, *defect = scratch + n, *terms = scratch + 2 * n;
    if (!cst_body_has_defect(given))
        return true;
    memcpy(x, bodies->free_velocity + bodies->offset[body], sizeof(double) * (size_t)n);
    return cst_body_defect(given, x, given->rhs, defect, terms) &&
           cst_body_defect_share(given, defect, terms) <= cst_body_rounding_usable(given);
}

/* ---------------------------------------------------------------------------------------------------------------- halves */

/* Random combination of the half solves L^-1 H^T (half.h) of all contacts on one body. Symbols:
 *     `Z_i`: half solve of contact i.
 *     `H_i`: Jacobian of contact i.
 *     `c_i`: random vector of contact i. */
typedef struct mixture {
    const cst_bodies *bodies;
    const cst_halves *halves;
    const int32_t *order;
    const int32_t *list; /* half solves of the body */
    int64_t count;
    int body;
    /* array (size): sum of Z_i c_i */
    double *state;
    double *impulse; /* array (size): sum of H_i^T c_i */
    double size;     /* upper bound of the sum of |Z_i| |c_i| */
    double *trace;   /* array (half solves): squared Frobenius norm of each half solve */
} mixture;

static int contact_of(const mixture *m, int32_t half)
{
    const int32_t at = half / m->halves->sides;
    return m->order ? m->order[at] : at;
}

/* Prefetches the half solve and the Jacobian of the second next contact on the body, and the structs of the fourth next: the data
 * of the contacts of one body are scattered in memory. In a mat of 20,000 fibers, the check takes a tenth less with prefetching
 * and with the norms kept for the compliances. */
static void fetch_ahead(const mixture *m, int64_t t)
{
    const cst_body_problem *problem = m->bodies->problem;
    if (t + 4 < m->count) {
        const int contact = contact_of(m, m->list[t + 4]);
        cst_prefetch(m->halves->half + m->list[t + 4], sizeof(cst_half));
        cst_prefetch(problem->side_a + contact, sizeof(cst_contact_side));
        cst_prefetch(problem->side_b + contact, sizeof(cst_contact_side));
    }
    if (t + 2 < m->count) {
        const cst_half *half = m->halves->half + m->list[t + 2];
        const int contact = contact_of(m, m->list[t + 2]);
        const cst_contact_side *a = problem->side_a + contact, *side = a->body == m->body ? a : problem->side_b + contact;
        cst_prefetch(half->z, sizeof(double) * (size_t)(problem->dim * half->length));
        cst_prefetch(side->h, sizeof(double) * (size_t)(problem->dim * side->dofs));
        cst_prefetch(side->dof, sizeof *side->dof * (size_t)side->dofs);
    }
}

/* Computes the random combination. If the matrix L^-1 H^T (half.h) of a contact is not finite, neither is the combination, and
 * the comparisons of the functions below fail. */
static void mix(mixture *m)
{
    const cst_body_problem *problem = m->bodies->problem;
    const int dim = problem->dim, n = problem->body[m->body].size;
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)m->body, STREAM_HALVES);
    memset(m->state, 0, sizeof(double) * (size_t)n);
    memset(m->impulse, 0, sizeof(double) * (size_t)n);
    m->size = 0.0;
    for (int64_t t = 0; t < m->count; t++) {
        const cst_half *half = m->halves->half + m->list[t];
        const int contact = contact_of(m, m->list[t]);
        fetch_ahead(m, t);
        const double trace = cst_half_trace(dim, half), scale = trace > 0.0 ? 1.0 / sqrt(trace) : 1.0;
        m->trace[m->list[t]] = trace;
        double c[3] = {0};
        for (int row = 0; row < dim; row++) {
            c[row] = scale * draw(&rng); /* gives every contact the same weight */
            const double *z = half->z + (int64_t)row * half->length;
            for (int k = half->first; k < n; k++)
                m->state[k] += c[row] * z[k - half->first];
        }
        if (problem->side_a[contact].body == m->body)
            cst_side_impulse(dim, problem->side_a + contact, c, m->impulse);
        if (problem->side_b[contact].body == m->body)
            cst_side_impulse(dim, problem->side_b + contact, c, m->impulse);
        m->size += trace > 0.0 ? sqrt((double)dim) : 0.0;
    }
}

/* Returns true if the half solves Z_i of the contacts on a body agree with the Cholesky factor L and the Jacobians H_i up to
 * rounding. The check draws a random vector c_i for each contact i, and compares L s (L: Cholesky factor) with t:
 *     `s = sum_i Z_i*c_i`.
 *     `t = sum_i H_i^T*c_i`. */
static bool halves_of_factor(const mixture *m, double *scratch)
{
    const cst_body *given = m->bodies->problem->body + m->body;
    const double rounding = 4.0 * (double)(given->size + m->count + 4) * DBL_EPSILON;
    cst_envelope_lower(m->bodies->factor + m->body, m->state, scratch);
    for (int k = 0; k < given->size; k++)
        if (!(fabs(scratch[k] - m->impulse[k]) <= rounding * sqrt(cst_body_diagonal(given, k)) * m->size))
            return false;
    return true;
}

/* Returns true if the error `off` of the body's velocities changes each contact velocity by at most SEEN times an upper bound of
 * this velocity. */
static bool hardly_seen(const mixture *m, const double *off)
{
    const int dim = m->bodies->problem->dim;
    for (int64_t t = 0; t < m->count; t++) {
        const cst_half *half = m->halves->half + m->list[t];
        const double trace = m->trace[m->list[t]];
        for (int row = 0; row < dim; row++) {
            double seen = 0.0;
            for (int k = 0; k < half->touch->count; k++)
                seen += half->touch->h[row * half->touch->count + k] * off[half->touch->dof[k]];
            if (!(fabs(seen) <= SEEN * sqrt(fmax(trace, 0.0)) * m->size))
                return false;
        }
    }
    return true;
}

/* Checks the stored solutions A^-1 H^T of a body (A: matrix of the body, H: contact Jacobian) by a random combination y of their
 * columns. If the caller provides a function that multiplies by A, the product A y must equal, up to rounding, the combination of
 * the columns of H^T with the same random coefficients. If this function also changes y, hardly_seen must accept the change. If
 * the caller provides no function that multiplies by A, the check solves A x = g, where g combines the columns of H^T with the
 * random coefficients of y. The function hardly_seen must accept the error x - y. `scratch`: (3 size). */
static bool halves_of_callback(const mixture *m, double *scratch)
{
    const cst_body *given = m->bodies->problem->body + m->body;
    const int n = given->size;
    double *x = scratch, *defect = scratch + n, *terms = scratch + 2 * n;
    if (given->defect) {
        memcpy(x, m->state, sizeof(double) * (size_t)n);
        if (!cst_body_defect(given, x, m->impulse, defect, terms) ||
            !(cst_body_defect_share(given, defect, terms) <= cst_body_rounding_usable(given)))
            return false;
    } else {
        memcpy(x, m->impulse, sizeof(double) * (size_t)n);
        if (!given->solve(given->user, x))
            return false;
    }
    for (int k = 0; k < n; k++)
        x[k] -= m->state[k];
    return hardly_seen(m, x);
}

static bool is_sound(mixture *m, double *scratch)
{
    if (m->count == 0)
        return true;
    mix(m);
    return m->bodies->problem->body[m->body].kind == CST_BODY_SOLVE ? halves_of_callback(m, scratch)
                                                                    : halves_of_factor(m, scratch);
}

static void find_compliances(const cst_body_problem *problem, const cst_halves *halves, const int32_t *order, int threads,
                             const bool *sound, const double *trace, double *w)
{
    const int n = problem->contacts;
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) if (n >= PARALLEL_MIN)
    for (int k = 0; k < n; k++) {
        double sum = 0.0;
        bool trusted = true;
        for (int64_t h = halves->sides * (int64_t)k; h < halves->sides * ((int64_t)k + 1); h++) {
            const int32_t body = halves->half[h].body;
            if (body < 0 || problem->body[body].kind == CST_BODY_NODAL)
                continue;
            sum += trace[h];
            trusted = trusted && sound[body];
        }
        w[order ? order[k] : k] = trusted ? sum / problem->dim : NAN;
    }
}

bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w)
{
    const cst_body_problem *problem = bodies->problem;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t dofs = (size_t)bodies->offset[problem->bodies];
    double *scratch = CST_TAKE_RAW(arena, double, 5 * dofs);
    double *trace = CST_TAKE_RAW(arena, double, (size_t)halves->sides *(size_t)problem->contacts);
    bool *sound = CST_TAKE_RAW(arena, bool, (size_t)problem->bodies);
    cst_meetings meetings;
    if (arena->failed || !cst_meetings_build(halves->half, halves->sides, problem->contacts, problem->bodies, arena, &meetings))
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) if (problem->contacts >= PARALLEL_MIN)
    for (int at = 0; at < problem->bodies; at++) {
        const int n = problem->body[at].size;
        cst_bodies_fetch(bodies, at + 1, true);
        double *own = scratch + 5 * bodies->offset[at];
        mixture m = {.bodies = bodies,
                     .halves = halves,
                     .order = order,
                     .list = meetings.touching + meetings.start[at],
                     .count = meetings.start[at + 1] - meetings.start[at],
                     .body = at,
                     .state = own,
                     .impulse = own + n,
                     .trace = trace};
        sound[at] = bodies->left_out[at] || problem->body[at].kind == CST_BODY_NODAL || is_sound(&m, own + 2 * n);
    }
    find_compliances(problem, halves, order, threads, sound, trace, w);
    cst_arena_release(arena, mark);
    return true;
}
