#include "friction/projected_gradient.h"

#include <math.h>
#include <string.h>

#include "friction/contact_metric.h"
#include "friction/laps.h"
#include "friction/momentum.h"
#include "friction/record.h"
#include "friction/relaxation.h"

enum {
    /* JUDGE_EVERY: the error is checked after at least JUDGE_EVERY products with the Delassus matrix, or earlier if its estimate
     * `met` is at most the tolerance. A check costs a fifth of a product. */
    JUDGE_EVERY = 5,
    PARALLEL_MIN = 512
};
static const double FIRST_RELAXATION = 0.5;
/*     FALL: the curvature estimate is multiplied by FALL after a step along which the curvature does not exceed the estimate.
 *     RISE: the curvature estimate is multiplied by RISE after a step along which the curvature exceeds the estimate.
 *     FORGIVEN: a step is repeated, with the new estimate, only if the curvature along the step exceeds FORGIVEN times the old
 *     estimate. Repeating a step costs a product with the Delassus matrix. */
static const double FALL = 0.9, RISE = 2.0, FORGIVEN = 2.0;
/* LEAST_CURVATURE: lower bound of the curvature estimate, because the curvature vanishes in the null space of the Delassus
 * matrix. */
static const double LEAST_CURVATURE = 1e-2;

typedef struct gradient {
    cst_system *system;
    cst_contact_metric *metric; /* array (n): metric D */
    double *correction;         /* array (n): De Saxce's correction s */
    double relaxation;          /* omega */
    double curvature;           /* curvature estimate L */
    cst_momentum momentum;
    /* arrays (n x dim): impulses, contact velocities */
    double *x, *x_y;
    double *ahead, *ahead_y; /* extrapolated point z */
    double *next, *next_y;
    double *step;     /* next - z */
    double *pull;     /* D step */
    double *response; /* A step */
    /* estimate of the error: the curvature estimate L times the largest weighted step of all contacts. The weighted step of a
     * contact is |D d| times the contact's weight (system.h), with its impulse change d and the metric D. */
    double met;
} gradient;

static bool begin(gradient *g, cst_system *system, double relaxation, cst_arena *arena)
{
    const size_t n = (size_t)system->contacts, size = n * (size_t)system->dim;
    *g = (gradient){.system = system,
                    .metric = CST_TAKE_RAW(arena, cst_contact_metric, n),
                    .correction = CST_TAKE(arena, double, n),
                    .relaxation = relaxation,
                    .curvature = 1.0,
                    .momentum = cst_momentum_none()};
    CST_TAKE_VECTORS(arena, size, &g->x, &g->x_y, &g->ahead, &g->ahead_y, &g->next, &g->next_y, &g->step, &g->pull, &g->response);
    if (arena->failed)
        return false;
    cst_contact_metrics(system, g->metric);
    return true;
}

static void start(gradient *g, const double *x)
{
    const cst_system *system = g->system;
    const size_t bytes = sizeof(double) * (size_t)system->contacts * (size_t)system->dim;
    memcpy(g->x, x, bytes);
    memcpy(g->ahead, x, bytes);
    cst_system_multiply(g->system, x, g->x_y);
    memcpy(g->ahead_y, g->x_y, bytes);
    for (int i = 0; i < system->contacts; i++)
        g->correction[i] = cst_contact_correction(system, i, g->x_y + (size_t)i * (size_t)system->dim);
}

static void relax_correction(gradient *g)
{
    const cst_system *system = g->system;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= PARALLEL_MIN)
    for (int i = 0; i < system->contacts; i++) {
        const double slide = cst_contact_correction(system, i, g->x_y + (size_t)i * (size_t)system->dim);
        g->correction[i] += g->relaxation * (slide - g->correction[i]);
    }
}

/* Computes the next iterate by a projected gradient step from the extrapolated point z, and the change of the contact
 * velocities in this step (g->response). */
static void try_step(gradient *g)
{
    cst_system *system = g->system;
    const int n = system->contacts, dim = system->dim;
    double met = 0.0;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN) reduction(max : met)
    for (int i = 0; i < n; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        double v[3] = {0};
        memcpy(v, g->ahead_y + at, sizeof(double) * (size_t)dim);
        v[0] += g->correction[i];
        cst_contact_metric_step(dim, g->metric + i, g->ahead + at, v, 1.0 / g->curvature, g->next + at);
        for (int k = 0; k < dim; k++) {
            g->step[at + (size_t)k] = g->next[at + (size_t)k] - g->ahead[at + (size_t)k];
            g->pull[at + (size_t)k] = (k == 0 ? g->metric[i].normal : g->metric[i].tangential) * g->step[at + (size_t)k];
        }
        const double length = system->weight[i] * cst_contact_metric_length(dim, g->metric + i, g->ahead + at, g->next + at);
        if (!(length <= met))
            met = length;
    }
    g->met = g->curvature * met;
    cst_system_multiply(system, g->next, g->next_y);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            const size_t at = (size_t)i * (size_t)dim + (size_t)k;
            g->response[at] = g->next_y[at] - g->ahead_y[at];
        }
}

static void swap(double **a, double **b)
{
    double *const held = *a;
    *a = *b;
    *b = held;
}

/* Makes `next` the new iterate x, and extrapolates x to the point z where the next step starts. */
static void move_on(gradient *g)
{
    const cst_system *system = g->system;
    const int n = system->contacts, dim = system->dim;
    double *const motion = g->step;
    swap(&g->x, &g->next);
    swap(&g->x_y, &g->next_y);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            const size_t at = (size_t)i * (size_t)dim + (size_t)k;
            motion[at] = g->x[at] - g->next[at];
        }
    const bool restart = cst_system_dot(system, g->pull, motion) < 0.0;
    const double beta = cst_momentum_next(&g->momentum, restart);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            const size_t at = (size_t)i * (size_t)dim + (size_t)k;
            g->ahead[at] = g->x[at] + beta * motion[at];
            g->ahead_y[at] = g->x_y[at] + beta * (g->x_y[at] - g->next_y[at]);
        }
}

/* Does one projected gradient step. The step is repeated with a larger curvature estimate until the curvature along the step is
 * at most FORGIVEN times the estimate, or until `most` products with the Delassus matrix are used. Returns the number of products
 * with the Delassus matrix. */
static int advance(gradient *g, int most)
{
    relax_correction(g);
    for (int products = 1;; products++) {
        try_step(g);
        const double length = cst_system_dot(g->system, g->step, g->pull);
        /* NaN if the step is zero */
        const double overshoot = cst_system_dot(g->system, g->step, g->response) / (g->curvature * length);
        if (overshoot > 1.0)
            g->curvature *= RISE;
        if (overshoot > FORGIVEN && products < most)
            continue;
        move_on(g);
        if (!(overshoot > 1.0))
            g->curvature = fmax(FALL * g->curvature, LEAST_CURVATURE);
        return products;
    }
}

static cst_method_result solve(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    gradient g;
    cst_record record;
    cst_relaxation relaxation = cst_relaxation_begin(FIRST_RELAXATION);
    if (!cst_record_begin(&record, system, settings, arena) || !begin(&g, system, relaxation.omega, arena))
        return record.result;

    cst_record_mend(system, x);
    start(&g, x);
    int iterations = 0, judged = 0;
    bool going = cst_record_judge(&record, g.x, g.x_y, 0);
    while (going) {
        iterations += advance(&g, settings->max_iterations - iterations);
        if (iterations - judged < JUDGE_EVERY && g.met > settings->tolerance && iterations < settings->max_iterations)
            continue;
        judged = iterations;
        going = cst_record_judge(&record, g.x, g.x_y, iterations);
        g.relaxation = cst_relaxation_after(&relaxation, iterations, record.result.error);
    }
    return cst_record_close(&record, x, arena, mark);
}

cst_method_result cst_projected_gradient(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    return cst_in_laps(solve, system, settings, arena, x);
}
