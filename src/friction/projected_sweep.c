#include "friction/projected_sweep.h"

#include <string.h>

#include "friction/record.h"

enum { PARALLEL_MIN = 512 };

bool cst_projected_sweep_begin(cst_projected_sweep *sweep, cst_system *system, double relaxation, cst_arena *arena)
{
    const size_t n = (size_t)system->contacts, size = n * (size_t)system->dim;
    *sweep = (cst_projected_sweep){.system = system,
                                   .relaxation = relaxation,
                                   .metric = CST_TAKE_RAW(arena, cst_contact_metric, n),
                                   .correction = CST_TAKE(arena, double, n)};
    CST_TAKE_VECTORS(arena, size, &sweep->x, &sweep->before, &sweep->ahead, &sweep->turn);
    if (arena->failed)
        return false;
    cst_contact_metrics(system, sweep->metric);
    return true;
}

void cst_projected_sweep_start(cst_projected_sweep *sweep, double *x, double *y)
{
    cst_system *system = sweep->system;
    cst_record_mend(system, x);
    cst_system_multiply(system, x, y);
    const size_t bytes = sizeof(double) * (size_t)system->contacts * (size_t)system->dim;
    sweep->momentum = cst_momentum_none();
    memcpy(sweep->x, x, bytes);
    memcpy(sweep->ahead, x, bytes);
    for (int i = 0; i < system->contacts; i++)
        sweep->correction[i] = cst_contact_correction(system, i, y + (size_t)i * (size_t)system->dim);
}

static void visit(cst_projected_sweep *sweep, int i, double *met)
{
    cst_system *system = sweep->system;
    const int dim = system->dim;
    const double *a = system->diagonal + (size_t)i * (size_t)(dim * dim);
    double *x_i = sweep->x + (size_t)i * (size_t)dim;
    double y[3] = {0}, p[3] = {0};
    system->coupling->off_diagonal(system, i, sweep->x, y);
    for (int row = 0; row < dim; row++)
        for (int k = 0; k < dim; k++)
            y[row] += a[row * dim + k] * x_i[k];
    sweep->correction[i] += sweep->relaxation * (cst_contact_correction(system, i, y) - sweep->correction[i]);
    y[0] += sweep->correction[i];
    cst_contact_metric_step(dim, sweep->metric + i, x_i, y, 1.0, p);
    const double length = system->weight[i] * cst_contact_metric_length(dim, sweep->metric + i, x_i, p);
    if (!(length <= *met))
        *met = length;
    if (system->coupling->moved) {
        double moved[3] = {0};
        for (int k = 0; k < dim; k++)
            moved[k] = p[k] - x_i[k];
        system->coupling->moved(system, i, moved);
    }
    memcpy(x_i, p, sizeof(double) * (size_t)dim);
}

static double visit_all(cst_projected_sweep *sweep)
{
    const cst_system *system = sweep->system;
    double met = 0.0;
    if (system->colours == 0) {
        for (int i = 0; i < system->contacts; i++)
            visit(sweep, i, &met);
        return met;
    }
#pragma omp parallel num_threads(system->threads) reduction(max : met)
    for (int colour = 0; colour < system->colours; colour++) {
#pragma omp for schedule(static)
        for (int i = system->colour_start[colour]; i < system->colour_start[colour + 1]; i++)
            visit(sweep, i, &met);
    }
    return met;
}

void cst_projected_sweep_advance(cst_projected_sweep *sweep)
{
    cst_system *system = sweep->system;
    const int n = system->contacts, dim = system->dim;
    double *const before = sweep->x;
    sweep->x = sweep->before;
    sweep->before = before;
    memcpy(sweep->x, sweep->ahead, sizeof(double) * (size_t)n * (size_t)dim);
    if (system->coupling->begin)
        system->coupling->begin(system, sweep->x);
    sweep->met = visit_all(sweep);

    /* from here on, the array of the previous impulses holds the changes of the impulses in this sweep */
    double *const motion = sweep->before;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            const size_t at = (size_t)i * (size_t)dim + (size_t)k;
            motion[at] = sweep->x[at] - motion[at];
            sweep->turn[at] =
                (k == 0 ? sweep->metric[i].normal : sweep->metric[i].tangential) * (sweep->ahead[at] - sweep->x[at]);
        }
    const bool restart = cst_system_dot(system, sweep->turn, motion) > 0.0;
    const double beta = cst_momentum_next(&sweep->momentum, restart);
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            const size_t at = (size_t)i * (size_t)dim + (size_t)k;
            sweep->ahead[at] = sweep->x[at] + beta * motion[at];
        }
}
