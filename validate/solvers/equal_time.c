#include "solvers/equal_time.h"

#include <math.h>

#include "cli/progress.h"
#include "solvers/timed_run.h"

enum { TRIAL = 20 };               /* sweeps that say what a sweep of the pyramid costs */
static const double SLIDES = 1e-6; /* of V */

/* Mean angle between friction and the direction against the slip, of the answer in the problem's arrays. */
static double angle_of(const cst_set_problem *problem, double V)
{
    const cst_friction_problem *form = &problem->explicit_form;
    const int dim = form->dim;
    double sum = 0;
    int sliding = 0;
    for (int i = 0; i < form->contacts; i++) {
        const double *r = problem->guess + (ptrdiff_t)i * dim, *u = problem->velocity + (ptrdiff_t)i * dim;
        double rr = 0, uu = 0, ru = 0;
        for (int c = 1; c < dim; c++) {
            rr += r[c] * r[c];
            uu += u[c] * u[c];
            ru += r[c] * u[c];
        }
        if (!(rr > 0) || !(sqrt(uu) > SLIDES * V))
            continue;
        sum += acos(fmin(1, fmax(-1, -ru / sqrt(rr * uu))));
        sliding++;
    }
    return sliding ? sum / sliding : NAN;
}

static bool answer(cst_set_problem *problem, const cst_friction_options *options, cst_equal_answer *out)
{
    cst_timed_run run;
    cst_timed_solve(problem, CST_FORM_EXPLICIT, options, 0, 1, "equal time", &run);
    *out = (cst_equal_answer){.error = run.report.residual.error,
                              .angle = angle_of(problem, run.report.residual.velocity_scale),
                              .seconds = run.cpu,
                              .sweeps = run.report.iterations};
    return run.report.status != CST_BAD_PROBLEM && run.report.status != CST_OUT_OF_MEMORY && !cst_interrupted();
}

bool cst_equal_time(const cst_problem_set *set, double tolerance, int sweeps, cst_equal_pair *pair)
{
    for (int i = 0; i < set->count; i++) {
        cst_set_problem *problem = set->list[i];
        cst_friction_options exact = cst_friction_options_default(), pyramid = exact;
        exact.solver = pyramid.solver = CST_SOLVER_GAUSS_SEIDEL;
        exact.local = CST_LOCAL_FISCHER_BURMEISTER;
        exact.local_failsafe = true;
        exact.tolerance = tolerance;
        exact.max_iterations = sweeps;
        pyramid.local = CST_LOCAL_PYRAMID;
        pyramid.tolerance = tolerance; /* never reached, the law is another one; but contacts freeze by it */
        cst_equal_answer trial;
        if (!answer(problem, &exact, &pair[i].exact))
            return false;
        pyramid.max_iterations = pair[i].exact.sweeps > 0 ? pair[i].exact.sweeps : 1; /* says what a sweep of it costs */
        if (!answer(problem, &pyramid, &trial))
            return false;
        const double each = trial.seconds / fmax(1, trial.sweeps), paid = pair[i].exact.seconds / fmax(each, 1e-9);
        pyramid.max_iterations = (int)fmin(1e6, fmax(1, paid));
        if (!answer(problem, &pyramid, &pair[i].pyramid))
            return false;
    }
    return true;
}
