/* Default values and checks of the solver options; names of the solvers, of the status values and of the problem forms (cst_form:
 * which unknowns and matrices a solver uses). */
#include <math.h>
#include <string.h>

#include "capstan/friction.h"
#include "friction/options.h"

cst_friction_options cst_friction_options_default(void)
{
    return (cst_friction_options){
        .cookie = CST_OPTIONS_COOKIE,
        .solver = CST_SOLVER_AUTO,
        .local = CST_LOCAL_DIRECT,
        .local_failsafe = true,
        .form = CST_FORM_AUTO,
        .tolerance = 1e-6,
        .max_iterations = 100000,
        .threads = 1,
        .line_search = true,
        .freeze = 0.1,
        .proximal = 0.1,
        .anderson = 5,
    };
}

const char *cst_friction_options_fault(const cst_friction_options *options)
{
    if (options->cookie != CST_OPTIONS_COOKIE)
        return "options must come from cst_friction_options_default()";
    if ((unsigned)options->solver >= CST_SOLVER_COUNT)
        return "solver is none of cst_solver";
    if ((unsigned)options->local >= CST_LOCAL_COUNT)
        return "local is none of cst_local_solver";
    if ((unsigned)options->form >= CST_FORM_COUNT)
        return "form is none of cst_form";
    if (!(options->tolerance >= 0.0) || !isfinite(options->tolerance))
        return "tolerance must be finite and not negative";
    if (!(options->velocity_scale >= 0.0) || !isfinite(options->velocity_scale))
        return "velocity_scale must be finite and not negative";
    if (!(options->velocity_floor >= 0.0) || !isfinite(options->velocity_floor))
        return "velocity_floor must be finite and not negative";
    if (options->max_iterations < 0)
        return "max_iterations must not be negative";
    if (!(options->freeze >= 0.0) || !isfinite(options->freeze))
        return "freeze must be finite and not negative";
    if (!(options->proximal >= 0.0) || !isfinite(options->proximal))
        return "proximal must be finite and not negative";
    if (options->anderson < 0)
        return "anderson must not be negative";
    if ((options->allocator.acquire == NULL) != (options->allocator.release == NULL))
        return "allocator: acquire and release go together";
    return NULL;
}

static const char *const STATUS_NAMES[] = {
    [CST_SOLVED] = "solved",
    [CST_TOLERANCE_MISSED] = "tolerance missed",
    [CST_NO_SOLUTION] = "no solution",
    [CST_ILL_POSED] = "ill-posed",
    [CST_INTERRUPTED] = "interrupted",
    [CST_BAD_PROBLEM] = "bad problem",
    [CST_OUT_OF_MEMORY] = "out of memory",
};

static const char *const SOLVER_NAMES[CST_SOLVER_COUNT] = {
    [CST_SOLVER_AUTO] = "auto",
    [CST_SOLVER_GAUSS_SEIDEL] = "gauss-seidel",
    [CST_SOLVER_ACCELERATED] = "accelerated",
    [CST_SOLVER_NEWTON_ALART_CURNIER] = "newton-ac",
    [CST_SOLVER_NEWTON_FISCHER_BURMEISTER] = "newton-fb",
    [CST_SOLVER_PROJECTED_GAUSS_SEIDEL] = "projected-gauss-seidel",
    [CST_SOLVER_PROJECTED_GRADIENT] = "projected-gradient",
    [CST_SOLVER_CADOUX] = "cadoux",
    [CST_SOLVER_INTERIOR_POINT] = "interior-point",
    [CST_SOLVER_PLAIN_NEWTON] = "plain-newton",
    [CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL] = "plain-projected-gauss-seidel",
};

static const char *const FORM_NAMES[CST_FORM_COUNT] = {
    [CST_FORM_AUTO] = "auto",     [CST_FORM_EXPLICIT] = "explicit", [CST_FORM_PRODUCT] = "product",
    [CST_FORM_PRIMAL] = "primal", [CST_FORM_MIXED] = "mixed",
};

static int find(const char *const *names, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return k;
    return -1;
}

const char *cst_status_name(cst_status status)
{
    return (unsigned)status < sizeof STATUS_NAMES / sizeof *STATUS_NAMES ? STATUS_NAMES[status] : "unknown";
}

const char *cst_solver_name(cst_solver solver)
{
    return (unsigned)solver < CST_SOLVER_COUNT ? SOLVER_NAMES[solver] : "unknown";
}

const char *cst_form_name(cst_form form)
{
    return (unsigned)form < CST_FORM_COUNT ? FORM_NAMES[form] : "unknown";
}

bool cst_solver_from_name(const char *name, cst_solver *out)
{
    const int found = find(SOLVER_NAMES, CST_SOLVER_COUNT, name);
    if (found >= 0)
        *out = (cst_solver)found;
    return found >= 0;
}

bool cst_form_from_name(const char *name, cst_form *out)
{
    const int found = find(FORM_NAMES, CST_FORM_COUNT, name);
    if (found >= 0)
        *out = (cst_form)found;
    return found >= 0;
}
