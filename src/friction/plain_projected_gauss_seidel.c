#include "friction/plain_projected_gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "friction/cone.h"
#include "friction/record.h"

enum { JUDGE_EVERY = 5 }; /* sweeps; a residual costs one sweep */

static void visit(cst_system *system, int i, double *x)
{
    const int dim = system->dim;
    const double *a = system->diagonal + (size_t)i * (size_t)(dim * dim);
    double *x_i = x + (size_t)i * (size_t)dim;
    double y[3] = {0}, v[3] = {0}, p[3] = {0}, moved[3] = {0}, scale = 0.0;
    system->coupling->off_diagonal(system, i, x, y);
    for (int row = 0; row < dim; row++) {
        scale += a[row * dim + row] * a[row * dim + row];
        for (int k = 0; k < dim; k++)
            y[row] += a[row * dim + k] * x_i[k];
    }
    scale = 1.0 / sqrt(scale);
    const bool bilateral = system->law[i] == CST_LAW_BILATERAL;
    cst_de_saxce(dim, bilateral ? 0.0 : system->mu[i], y, v);
    for (int k = 0; k < dim; k++)
        p[k] = x_i[k] - scale * v[k];
    if (!bilateral)
        cst_cone_project(dim, system->mu[i], p, p);
    for (int k = 0; k < dim; k++)
        moved[k] = p[k] - x_i[k];
    if (system->coupling->moved)
        system->coupling->moved(system, i, moved);
    memcpy(x_i, p, sizeof(double) * (size_t)dim);
}

static void visit_all(cst_system *system, double *x)
{
    if (system->colours == 0) {
        for (int i = 0; i < system->contacts; i++)
            visit(system, i, x);
        return;
    }
#pragma omp parallel num_threads(system->threads)
    for (int colour = 0; colour < system->colours; colour++) {
#pragma omp for schedule(static)
        for (int i = system->colour_start[colour]; i < system->colour_start[colour + 1]; i++)
            visit(system, i, x);
    }
}

cst_method_result cst_plain_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                                                   double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_record record;
    double *y = CST_TAKE_RAW(arena, double, size);
    if (!cst_record_begin(&record, system, settings, arena))
        return record.result;

    cst_record_mend(system, x);
    cst_system_multiply(system, x, y);
    bool going = cst_system_error(system, x, y, settings->fischer_burmeister) > settings->tolerance;
    if (going) { /* the guess is not good enough */
        memset(x, 0, size * sizeof *x);
        cst_system_multiply(system, x, y);
    }
    going = cst_record_judge(&record, x, y, 0);
    for (int iteration = 1; going; iteration++) {
        if (system->coupling->begin)
            system->coupling->begin(system, x);
        visit_all(system, x);
        if (iteration % JUDGE_EVERY != 0 && iteration < settings->max_iterations)
            continue;
        cst_system_multiply(system, x, y);
        going = cst_record_judge(&record, x, y, iteration);
    }
    return cst_record_close(&record, x, arena, mark);
}
