/* One solve as a benchmark sees it. */
#ifndef CST_VALIDATE_SOLVERS_TIMED_RUN_H
#define CST_VALIDATE_SOLVERS_TIMED_RUN_H

#include "capstan/friction.h"
#include "cli/progress.h"
#include "solvers/problem_set.h"

typedef struct cst_timed_run {
    cst_friction_report report; /* of the last repetition; its times are the best of all */
    bool solved;                /* to the tolerance, within the time limit */
    /* Processor seconds of the solve alone, one thread. The library tells set-up and solve apart by the wall clock, which a busy
     * machine stretches; the processor time of the whole call includes set-up. Neither is ever too short: the lesser is taken. */
    double cpu;
    double cpu_setup;
} cst_timed_run;

/* Explicit form, or the body form if form is not CST_FORM_EXPLICIT (then problem->bodies is there). From problem->start, `repeat` times:
 * fewer if one takes more than a second. The answer is left in problem->guess and velocity. */
void cst_timed_solve(cst_set_problem *problem, cst_form form, const cst_friction_options *options, double time_limit, int repeat,
                     const char *label, cst_timed_run *run);

/* Mean of logarithms, exponentiated. add values, then ask; NaN without values. */
typedef struct cst_geometric_mean {
    double sum;
    int count;
} cst_geometric_mean;

void cst_geometric_add(cst_geometric_mean *mean, double value);
double cst_geometric_value(const cst_geometric_mean *mean);

#endif
