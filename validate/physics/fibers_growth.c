/* A linearised quasi-static step takes a disturbance x of an equilibrium with the Hessian H to
 *
 *     x+ = (1 - A^-1 H) x,    A = M / dt^2 + D / dt + H_A,  positive definite
 *
 * where H_A is the part of H that the model takes implicitly and D is viscosity. Whatever that part is, a mode stands still
 * exactly where H has an eigenvalue 0, and grows where it is negative. (Where H exceeds 2 A, a step overshoots so far that
 * the mode grows: D / dt must be of the size of what is left out of H_A, such as the part of a twisting moment.) So the rate
 * of growth changes its sign where the equilibrium becomes unstable; near there it is straight in the parameter, so that
 * regula falsi (Illinois) bisects in a few runs. */
#include "physics/fibers_growth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"

enum { VERTICES_MAX = 1024, SETTLE_MAX = 5000, PUSHED = 40, READ = 20, WINDOWS_MAX = 100, RUNS_MAX = 40 };
static const double LARGE = 1e-2, SMALL = 1e-11; /* m: where a disturbance is no longer small, or lost in rounding */

static bool step(cst_world *world, double *motion, char *message, size_t message_size)
{
    cst_step_report report;
    const cst_status status = cst_world_step(world, &report);
    *motion = report.motion;
    if (status == CST_SOLVED && !cst_interrupted())
        return true;
    snprintf(message, message_size, "step %lld: %s %s", (long long)report.step, cst_status_name(status), report.message);
    return false;
}

static double amplitude(const cst_world *world, cst_disturbance look)
{
    static const double pi = 3.14159265358979323846;
    double x[3 * VERTICES_MAX], square = 0, wave[2] = {0, 0};
    const cst_drawing drawing = cst_world_draw_body(world, 1, 1, x, NULL, NULL);
    for (int i = 0; i < drawing.vertices; i++) {
        const double y = x[3 * i + 1], z = x[3 * i + 2],
                     turn = 4 * pi * i / drawing.vertices; /* a ring's start is not repeated */
        wave[0] += z * cos(turn);
        wave[1] += z * sin(turn);
        square += look == CST_DISTURB_ACROSS_PLANE ? y * y : y * y + z * z;
    }
    return look == CST_DISTURB_RING ? hypot(wave[0], wave[1]) : sqrt(square);
}

static bool grow(cst_world *world, const cst_growth_case *at, double *rate, char *message, size_t message_size)
{
    double motion = HUGE_VAL;
    for (int k = 0; k < SETTLE_MAX && motion > 1e-11; k++)
        if (!step(world, &motion, message, message_size))
            return false;
    const double dt = cst_world_definition(world)->time_step.dt, now = cst_world_time(world);
    const double time[2] = {now + (PUSHED - 0.5) * dt, now + (PUSHED - 0.25) * dt}, factor[2] = {1, 0};
    cst_load_def load = cst_load_def_default();
    load.at = (cst_place){.body = 1, .s = at->place};
    load.force[at->look == CST_DISTURB_RING ? 2 : 1] = at->force;
    load.time = time;
    load.factor = factor;
    load.times = 2;
    if (!cst_world_add_load(world, &load, message, message_size))
        return false;
    for (int k = 0; k < PUSHED; k++)
        if (!step(world, &motion, message, message_size))
            return false;
    double before = amplitude(world, at->look), last = HUGE_VAL;
    for (int window = 0; window < WINDOWS_MAX; window++) { /* until the rate no longer changes: one mode is left */
        for (int k = 0; k < READ; k++)
            if (!step(world, &motion, message, message_size))
                return false;
        const double after = amplitude(world, at->look);
        *rate = log(after / before) / READ;
        if (fabs(*rate - last) <= 0.01 * fabs(*rate) + 1e-8 || after > LARGE || after < SMALL)
            break;
        last = *rate;
        before = after;
    }
    return true;
}

bool cst_growth_rate(const cst_growth_case *at, double parameter, double *rate, char *message, size_t message_size)
{
    cst_world *world = at->make(at->about, parameter, message, message_size);
    const bool good = world && grow(world, at, rate, message, message_size);
    cst_world_free(world);
    return good;
}

bool cst_growth_critical(const cst_growth_case *at, double stable, double unstable, double tolerance, double *out, char *message,
                         size_t message_size)
{
    double at_stable, at_unstable;
    if (!cst_growth_rate(at, stable, &at_stable, message, message_size) ||
        !cst_growth_rate(at, unstable, &at_unstable, message, message_size))
        return false;
    if (!(at_stable < 0 && at_unstable > 0)) {
        snprintf(message, message_size, "no loss of stability between %g and %g: growth per step %g and %g", stable, unstable,
                 at_stable, at_unstable);
        return false;
    }
    int side = 0;
    for (int run = 0; run < RUNS_MAX; run++) {
        *out = (stable * at_unstable - unstable * at_stable) / (at_unstable - at_stable);
        double rate;
        if (!cst_growth_rate(at, *out, &rate, message, message_size))
            return false;
        const double moved = fabs(*out - (rate < 0 ? stable : unstable));
        if (rate < 0) {
            stable = *out;
            at_stable = rate;
            at_unstable *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            unstable = *out;
            at_unstable = rate;
            at_stable *= side == 1 ? 0.5 : 1;
            side = 1;
        }
        if (moved <= tolerance * fabs(*out) || fabs(unstable - stable) <= tolerance * fabs(*out))
            return true;
    }
    snprintf(message, message_size, "bisection did not end");
    return false;
}
