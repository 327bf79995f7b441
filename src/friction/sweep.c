#include "friction/sweep.h"

#include <math.h>
#include <string.h>

#include "friction/cone.h"

typedef struct sweep_count {
    double error;
    cst_local_count local;
} sweep_count;

void cst_sweeper_set_proximal(cst_sweeper *sweeper, double proximal)
{
    cst_system *system = sweeper->system;
    sweeper->proximal = proximal;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= 512)
    for (int i = 0; i < system->contacts; i++) {
        const int dim = system->dim;
        double W[9];
        memcpy(W, system->diagonal + (size_t)i * (size_t)(dim * dim), sizeof(double) * (size_t)(dim * dim));
        for (int k = 0; k < dim; k++)
            W[k * (dim + 1)] += proximal;
        cst_local_prepare(dim, W, system->mu[i], sweeper->prepared, i);
    }
}

bool cst_sweeper_begin(cst_sweeper *sweeper, cst_system *system, cst_local_choice local, double proximal, cst_arena *arena)
{
    *sweeper = (cst_sweeper){.system = system, .local = local};
    sweeper->prepared = cst_arena_take_raw(arena, (size_t)system->contacts, cst_local_prepared_size(system->dim));
    if (arena->failed)
        return false;
    cst_sweeper_set_proximal(sweeper, proximal);
    return true;
}

static inline double size_of(const double *x, int dim)
{
    return dim == 3 ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) : sqrt(x[0] * x[0] + x[1] * x[1]);
}

static inline double met_error(const cst_sweeper *sweeper, const int dim, int i, const double *x, const double *beta)
{
    const cst_system *system = sweeper->system;
    const double *a = system->diagonal + (size_t)i * (size_t)(dim * dim);
    double y[3] = {0}, f[3] = {0};
    for (int row = 0; row < dim; row++) {
        y[row] = beta[row];
        for (int k = 0; k < dim; k++)
            y[row] += a[row * dim + k] * x[k];
    }
    if (system->law[i] == CST_LAW_BILATERAL)
        memcpy(f, y, sizeof f);
    else
        cst_alart_curnier(dim, system->mu[i], x, y, f);
    return system->weight[i] * size_of(f, dim);
}

/* `dim` is a compile-time constant, so that the compiler unrolls loops over components. */
static inline __attribute__((always_inline)) void visit_in(const int dim, cst_sweeper *sweeper, int i, double *x,
                                                           cst_freeze *freeze, sweep_count *count)
{
    cst_system *system = sweeper->system;
    if (sweeper->clusters && sweeper->clusters->in[i])
        return;
    if (freeze && freeze->asleep[i] > 0) {
        freeze->asleep[i]--;
        return;
    }
    double beta[3] = {0}, moved[3] = {0};
    double *x_i = x + (size_t)i * (size_t)dim;
    system->coupling->off_diagonal(system, i, x, beta);
    const double error = met_error(sweeper, dim, i, x_i, beta);
    if (!(error <= count->error))
        count->error = isnan(error) ? HUGE_VAL : error;
    for (int k = 0; k < dim; k++) {
        moved[k] = x_i[k];
        beta[k] -= sweeper->proximal * x_i[k];
    }
    cst_local_choice_solve(&sweeper->local, dim, system->law[i], system->mu[i], sweeper->prepared, i, beta, x_i, &count->local);
    for (int k = 0; k < dim; k++)
        moved[k] = x_i[k] - moved[k];
    if (system->coupling->moved)
        system->coupling->moved(system, i, moved);
    if (freeze) {
        const double small = freeze->threshold / system->weight[i];
        if (size_of(moved, dim) <= small || size_of(x_i, dim) <= small)
            freeze->asleep[i] = freeze->duration;
    }
}

static void visit(cst_sweeper *sweeper, int i, double *x, cst_freeze *freeze, sweep_count *count)
{
    if (sweeper->system->dim == 3)
        visit_in(3, sweeper, i, x, freeze, count);
    else
        visit_in(2, sweeper, i, x, freeze, count);
}

static void visit_cluster(cst_sweeper *sweeper, int at, double *x, sweep_count *count)
{
    const double error = cst_cluster_visit(sweeper->system, sweeper->clusters->cluster + at, sweeper->proximal, &sweeper->local,
                                           sweeper->prepared, x, &count->local);
    count->error = fmax(count->error, error);
}

static void sweep_coloured(cst_sweeper *sweeper, double *x, cst_freeze *freeze, sweep_count *total)
{
    const cst_system *system = sweeper->system;
    const cst_clusters *clusters = sweeper->clusters;
    double error = 0.0;
    int64_t solves = 0, failures = 0, fallbacks = 0;
#pragma omp parallel num_threads(system->threads) reduction(max : error) reduction(+ : solves, failures, fallbacks)
    {
        sweep_count count = {0};
        for (int colour = 0; colour < system->colours; colour++) {
#pragma omp for schedule(static)
            for (int i = system->colour_start[colour]; i < system->colour_start[colour + 1]; i++)
                visit(sweeper, i, x, freeze, &count);
        }
        for (int colour = 0; clusters && colour < clusters->colours; colour++) {
#pragma omp for schedule(static)
            for (int at = clusters->colour_start[colour]; at < clusters->colour_start[colour + 1]; at++)
                visit_cluster(sweeper, at, x, &count);
        }
        error = count.error;
        solves = count.local.solves;
        failures = count.local.failures;
        fallbacks = count.local.fallbacks;
    }
    *total = (sweep_count){error, {solves, failures, fallbacks}};
}

double cst_sweep(cst_sweeper *sweeper, double *x, cst_freeze *freeze)
{
    sweep_count count = {0};
    if (sweeper->system->colours > 0) {
        sweep_coloured(sweeper, x, freeze, &count);
    } else {
        for (int i = 0; i < sweeper->system->contacts; i++)
            visit(sweeper, i, x, freeze, &count);
        for (int at = 0; sweeper->clusters && at < sweeper->clusters->count; at++)
            visit_cluster(sweeper, at, x, &count);
    }
    sweeper->count.solves += count.local.solves;
    sweeper->count.failures += count.local.failures;
    sweeper->count.fallbacks += count.local.fallbacks;
    return count.error;
}
