#include "friction/automatic.h"

#include "friction/accelerate.h"

cst_method_result cst_automatic(cst_system *system, const cst_method_settings *settings, const cst_friction_options *options,
                                cst_local_choice local, cst_arena *arena, double *x, cst_friction_report *report)
{
    const cst_acceleration acceleration = {.local = local, .proximal = options->proximal, .memory = options->anderson, .newton = true};
    cst_accelerated_result accelerated = cst_accelerate(system, settings, &acceleration, arena, x);
    report->newton_iterations += accelerated.newton_iterations;
    report->solver = CST_SOLVER_ACCELERATED;
    return accelerated.method;
}
