#include "solvers/sweep_cost.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/progress.h"
#include "solvers/timed_run.h"

enum { SHORT_RUN = 10, LONG_RUN = 60, REPEAT = 3, PASSES = 20, LANES = 16 };

bool cst_sweep_cost_measure(cst_set_problem *problem, cst_form form, cst_sweep_cost *out)
{
    double seconds[2];
    int sweeps[2];
    for (int k = 0; k < 2; k++) {
        cst_friction_options options = cst_friction_options_default();
        options.solver = CST_SOLVER_GAUSS_SEIDEL;
        options.freeze = 0;
        options.tolerance = 0; /* never reached: the count of sweeps is what is asked for */
        options.max_iterations = k == 0 ? SHORT_RUN : LONG_RUN;
        cst_timed_run run;
        cst_timed_solve(problem, form, &options, 0, REPEAT, "sweeps", &run);
        if (run.report.status == CST_BAD_PROBLEM || run.report.status == CST_OUT_OF_MEMORY || cst_interrupted())
            return false;
        seconds[k] = run.cpu;
        sweeps[k] = run.report.iterations;
        out->memory_bytes = run.report.memory_bytes;
    }
    out->seconds = (seconds[1] - seconds[0]) / (sweeps[1] - sweeps[0]);
    return sweeps[1] > sweeps[0];
}

size_t cst_explicit_bytes(const cst_friction_problem *problem)
{
    size_t blocks = (size_t)problem->row_start[problem->contacts];
    return blocks * ((size_t)(problem->dim * problem->dim) * sizeof(double) + sizeof(int32_t)) +
           ((size_t)problem->contacts + 1) * sizeof(int64_t);
}

double cst_streaming_seconds(size_t bytes)
{
    size_t count = bytes / sizeof(double) / LANES * LANES;
    double *memory = malloc((count + 1) * sizeof *memory);
    if (!memory)
        return NAN;
    for (size_t i = 0; i < count; i++)
        memory[i] = 1;
    double best = HUGE_VAL;
    double total = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        double started = cst_clock_seconds();
        double sum[LANES] = {0}; /* independent sums: additions must not wait for each other */
        for (size_t i = 0; i < count; i += LANES)
            for (int k = 0; k < LANES; k++)
                sum[k] += memory[i + (size_t)k];
        double took = cst_clock_seconds() - started;
        for (int k = 0; k < LANES; k++)
            total += sum[k];
        best = fmin(best, took);
    }
    free(memory);
    return total > 0 ? best : NAN; /* the sums are used, so the compiler cannot leave them out */
}
