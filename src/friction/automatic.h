/* The solver `auto`, which switches between solution methods. The switches depend on numbers of iterations, residuals and
 * estimated costs, never on measured time. */
#ifndef CST_FRICTION_AUTOMATIC_H
#define CST_FRICTION_AUTOMATIC_H

#include "friction/method.h"
#include "friction/sweep.h"

/* Runs the solver `auto`, or the accelerated method alone if options->solver is CST_SOLVER_ACCELERATED. */
cst_method_result cst_automatic(cst_system *system, const cst_method_settings *settings, const cst_friction_options *options,
                                cst_local_choice local, cst_arena *arena, double *x, cst_friction_report *report);

#endif
