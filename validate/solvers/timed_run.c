#include "solvers/timed_run.h"

#include <math.h>
#include <string.h>

#include "harness/cpu_clock.h"

void cst_timed_solve(cst_set_problem *problem, cst_form form, const cst_friction_options *given, double time_limit, int repeat,
                     const char *label, cst_timed_run *run)
{
    cst_friction_options options = *given;
    options.form = form;
    cst_progress progress;
    options.progress = cst_progress_step;
    options.progress_user = &progress;
    *run = (cst_timed_run){0};
    size_t bytes = (size_t)problem->explicit_form.dim * (size_t)problem->explicit_form.contacts * sizeof(double);
    for (int i = 0; i < repeat; i++) {
        cst_friction_report report;
        cst_progress_begin(&progress, time_limit, "%s  %s", label, problem->name);
        if (problem->start)
            memcpy(problem->guess, problem->start, bytes);
        else
            memset(problem->guess, 0, bytes);
        double before = cst_cpu_seconds();
        if (form == CST_FORM_EXPLICIT && !(problem->assembles && problem->bodies))
            cst_friction_solve(&problem->explicit_form, &options, problem->guess, problem->velocity, &report);
        else
            cst_friction_solve_bodies(problem->bodies, &options, problem->guess, problem->velocity, NULL, &report);
        double cpu = cst_cpu_seconds() - before;
        cst_progress_end(&progress);

        run->cpu = fmin(i == 0 ? HUGE_VAL : run->cpu, fmin(report.seconds, cpu));
        run->cpu_setup = fmin(i == 0 ? HUGE_VAL : run->cpu_setup, fmin(report.setup_seconds, cpu));
        if (i > 0) {
            report.seconds = fmin(report.seconds, run->report.seconds);
            report.setup_seconds = fmin(report.setup_seconds, run->report.setup_seconds);
        }
        run->report = report;
        if (cpu > 1 || cst_interrupted())
            break;
    }
    run->solved = run->report.status == CST_SOLVED;
}

void cst_geometric_add(cst_geometric_mean *mean, double value)
{
    mean->sum += log(value);
    mean->count++;
}

double cst_geometric_value(const cst_geometric_mean *mean)
{
    return mean->count ? exp(mean->sum / mean->count) : NAN;
}
