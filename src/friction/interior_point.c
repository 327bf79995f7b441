#include "friction/interior_point.h"

#include <math.h>
#include <string.h>

#include "friction/interior_path.h"
#include "friction/product.h"

enum {
    OUTER = 30, /* largest number of proximal problems */
    /* largest number of failed central paths, after which the interior point method gives up */
    PATHS = 10,
    NEWTON_MOST = 12, /* largest number of Newton steps for one proximal problem */
    NEWTON_GIVE_UP = 5
};
/* RHO: first value of the proximal weight; RHO_LEAST and RHO_MOST: its limits. RHO, RHO_LEAST and RHO_MOST were chosen on card
 * houses of 4 to 10 storeys, and on arches of 25 and 101 stones that fall from a height of 0.1 mm. With a first proximal weight
 * of 1e-6 or 1e-8 instead of 1e-7, 1 to 6 of the first 10 time steps of the card house with 10 storeys missed the tolerance. */
static const double RHO = 1e-7, RHO_LEAST = 1e-10, RHO_MOST = 1e-3;
/* The proximal weight is multiplied by SOLVED after a solved proximal problem, and by FAILED after an unsolved one. With SOLVED =
 * 0.1 and FAILED = 10, some time steps of the card house with 10 storeys missed the tolerance. */
static const double SOLVED = 0.3, FAILED = 5.0;
static const double INNER = 0.1; /* a proximal problem counts as solved if its error is at most INNER times the tolerance */

/* Runs Newton's method on the proximal problem, from the impulses it->x. Returns true if Newton's method has solved the proximal
 * problem or the friction problem itself; otherwise the impulses it->x are the best iterate of Newton's method. */
static bool newton(cst_interior *it, double *kept)
{
    const size_t size = (size_t)it->system->contacts * (size_t)it->system->dim;
    /* `settings` has no proximal term, because cst_interior_look has already added the proximal term to the velocities it->y */
    const cst_newton_settings settings = {.function = CST_NEWTON_ALART_CURNIER};
    double least = HUGE_VAL;
    for (int k = 0, since = 0;; k++) {
        it->result.converged = cst_interior_look(it) <= it->settings->tolerance;
        const double error = cst_system_error(it->system, it->x, it->y, it->settings->fischer_burmeister);
        if (it->result.converged || error <= INNER * it->settings->tolerance)
            return true;
        since = error < least ? 0 : since + 1;
        if (error < least) {
            least = error;
            memcpy(kept, it->x, size * sizeof *kept);
        }
        if (k >= NEWTON_MOST || since > NEWTON_GIVE_UP || !isfinite(error) || !cst_interior_may_go_on(it))
            break;
        cst_newton_linearise(&it->newton, &settings, it->x, it->y);
        cst_newton_factor(&it->newton, it->proximal);
        cst_newton_solve(&it->newton, it->proximal); /* a failure of the linear solver shows in the error of the next iterate */
        it->result.iterations++;
        for (size_t c = 0; c < size; c++)
            it->x[c] += it->newton.direction[c];
    }
    memcpy(it->x, kept, size * sizeof *kept);
    cst_interior_look(it);
    return false;
}

/* Solves the proximal problem by following a central path (interior_path.h). De Saxce's correction is linearised on the first
 * central path. After each failed central path, the code changes between linearising De Saxce's correction and holding it
 * constant. */
static bool solve_by_path(cst_interior *it, int failures, double *kept)
{
    it->held = failures % 2 == 1;
    if (it->held)
        cst_interior_hold_slip(it);
    cst_interior_follow(it, failures > 0);
    return it->result.converged || (!it->result.interrupted && newton(it, kept));
}

static void solve(cst_interior *it, double *kept)
{
    const size_t bytes = sizeof(double) * (size_t)it->system->contacts * (size_t)it->system->dim;
    it->proximal = RHO;
    for (int k = 0, failures = 0; k < OUTER && failures < PATHS; k++) {
        bool solved = newton(it, kept);
        if (!solved && !it->result.interrupted) {
            solved = solve_by_path(it, failures, kept);
            failures += !solved;
        }
        if (it->result.converged || it->result.interrupted || !cst_interior_may_go_on(it))
            break;
        if (!solved)
            memcpy(it->x, it->best, bytes);
        memcpy(it->anchor, it->x, bytes);
        it->proximal = solved ? fmax(RHO_LEAST, SOLVED * it->proximal) : fmin(RHO_MOST, FAILED * it->proximal);
    }
    it->result.stalled = !it->result.converged && !it->result.interrupted;
}

cst_method_result cst_interior_point(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                                     double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const cst_newton_elimination elimination =
        cst_interior_point_leads(system) ? CST_NEWTON_ELIMINATE_CONTACTS : CST_NEWTON_ELIMINATE_FEWER;
    cst_interior it;
    double *kept = CST_TAKE(arena, double, size);
    if (!cst_interior_begin(&it, system, settings, x, arena))
        return it.result;
    it.result.converged = cst_interior_look(&it) <= settings->tolerance;
    if (!it.result.converged) {
        if (!cst_newton_begin(arena, system, elimination, &it.newton))
            return it.result;
        it.newton.exact = true;
        it.result.stalled = it.newton.flops > flops_max;
        if (!it.result.stalled)
            solve(&it, kept);
    }
    memcpy(x, it.best, size * sizeof *x);
    cst_arena_release(arena, mark);
    return it.result;
}

bool cst_interior_point_leads(const cst_system *system)
{
    enum { RIGID = 8 }; /* padded state of 6 dofs */
    int sides, bodies;
    const int64_t *state;
    if (system->dim != 3 || !cst_newton_bodies_apply(system))
        return false;
    cst_product_halves(system, &sides, &bodies, &state);
    for (int k = 0; k < bodies; k++)
        if (state[k + 1] - state[k] > RIGID)
            return false;
    return (int64_t)system->contacts * system->dim > 6 * (int64_t)bodies;
}
