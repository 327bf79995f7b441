#include "friction/cadoux.h"

#include <math.h>

#include "friction/cone.h"
#include "friction/laps.h"
#include "friction/projected_sweep.h"
#include "friction/record.h"
#include "friction/relaxation.h"

/* number of sweeps between two computations of the residual, each of which costs about as much as one sweep */
enum { JUDGE_EVERY = 3 };
/* CONVEX_SHARE: the method updates De Saxce's correction when the error of the convex problem is at most CONVEX_SHARE times the
 * error of the Coulomb problem. */
static const double CONVEX_SHARE = 0.5;
static const double FIRST_RELAXATION = 1.0;

/* Returns the largest weighted residual of the natural map over all contacts, for the impulses x and the velocities y. `s`: the
 * De Saxce correction of the convex problem, or NULL for the residual of the Coulomb problem. */
static double natural_error(const cst_system *system, const double *x, const double *y, const double *s)
{
    const int dim = system->dim;
    double worst = 0.0;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (system->contacts >= 512) reduction(max : worst)
    for (int i = 0; i < system->contacts; i++) {
        const double *x_i = x + (size_t)i * (size_t)dim, *y_i = y + (size_t)i * (size_t)dim;
        const double correction = s ? s[i] : cst_contact_correction(system, i, y_i);
        double p[3] = {0}, square = 0.0;
        for (int k = 0; k < dim; k++)
            p[k] = x_i[k] - y_i[k] - (k == 0 ? correction : 0.0);
        if (system->law[i] != CST_LAW_BILATERAL)
            cst_cone_project(dim, system->mu[i], p, p);
        for (int k = 0; k < dim; k++)
            square += (x_i[k] - p[k]) * (x_i[k] - p[k]);
        const double error = system->weight[i] * sqrt(square);
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

static void move_correction(const cst_system *system, const double *y, double omega, double *s)
{
    for (int i = 0; i < system->contacts; i++)
        s[i] += omega * (cst_contact_correction(system, i, y + (size_t)i * (size_t)system->dim) - s[i]);
}

static cst_method_result solve(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_projected_sweep sweep;
    cst_record record;
    cst_relaxation relaxation = cst_relaxation_begin(FIRST_RELAXATION);
    double *y = CST_TAKE_RAW(arena, double, (size_t)system->contacts *(size_t)system->dim);
    if (!cst_record_begin(&record, system, settings, arena) || !cst_projected_sweep_begin(&sweep, system, 0.0, arena))
        return record.result;

    cst_projected_sweep_start(&sweep, x, y);
    bool going = cst_record_judge(&record, x, y, 0);
    for (int iteration = 1; going; iteration++) {
        cst_projected_sweep_advance(&sweep);
        if (iteration % JUDGE_EVERY != 0 && iteration < settings->max_iterations)
            continue;
        cst_system_multiply(system, sweep.x, y);
        going = cst_record_judge(&record, sweep.x, y, iteration);
        const double omega = cst_relaxation_after(&relaxation, iteration, record.result.error);
        if (natural_error(system, sweep.x, y, sweep.correction) <= CONVEX_SHARE * natural_error(system, sweep.x, y, NULL))
            move_correction(system, y, omega, sweep.correction);
    }
    return cst_record_close(&record, x, arena, mark);
}

cst_method_result cst_cadoux(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    return cst_in_laps(solve, system, settings, arena, x);
}
