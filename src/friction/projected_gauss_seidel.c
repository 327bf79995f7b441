#include "friction/projected_gauss_seidel.h"

#include "friction/laps.h"
#include "friction/projected_sweep.h"
#include "friction/record.h"
#include "friction/relaxation.h"

enum { JUDGE_EVERY = 5 }; /* most sweeps between two computations of the error, each of which costs about one sweep */
static const double FIRST_RELAXATION = 0.4;

static cst_method_result solve(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_projected_sweep sweep;
    cst_record record;
    cst_relaxation relaxation = cst_relaxation_begin(FIRST_RELAXATION);
    double *y = CST_TAKE_RAW(arena, double, (size_t)system->contacts *(size_t)system->dim);
    if (!cst_record_begin(&record, system, settings, arena) ||
        !cst_projected_sweep_begin(&sweep, system, relaxation.omega, arena))
        return record.result;

    cst_projected_sweep_start(&sweep, x, y);
    bool going = cst_record_judge(&record, x, y, 0);
    for (int iteration = 1; going; iteration++) {
        cst_projected_sweep_advance(&sweep);
        if (iteration % JUDGE_EVERY != 0 && sweep.met > settings->tolerance && iteration < settings->max_iterations)
            continue;
        cst_system_multiply(system, sweep.x, y);
        going = cst_record_judge(&record, sweep.x, y, iteration);
        sweep.relaxation = cst_relaxation_after(&relaxation, iteration, record.result.error);
    }
    return cst_record_close(&record, x, arena, mark);
}

cst_method_result cst_projected_gauss_seidel(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x)
{
    return cst_in_laps(solve, system, settings, arena, x);
}
