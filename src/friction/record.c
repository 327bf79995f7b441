#include "friction/record.h"

#include <math.h>
#include <string.h>

/* GROWTH_WINDOWS: an iterative method stops if cst_growth_seen (growth.h) returns true at the ends of GROWTH_WINDOWS successive
 * windows of iterations. The function cst_growth_seen usually returns true from the second window with growing impulses on, so
 * that the method stops after four windows. */
enum { GROWTH_WINDOWS = 3 };
/* LARGE: impulses count as growing only if the largest scaled impulse (dimensionless) exceeds LARGE. */
static const double LARGE = 1e4;
/* IMPOSSIBLE: largest usable scaled impulse (dimensionless). With an impulse above IMPOSSIBLE, the rounding error of the contact
 * velocity exceeds about 1e-6 of the velocity scale (system.h). A small computed error then does not show that the problem is
 * solved. */
static const double IMPOSSIBLE = 1e10;

static size_t vector_bytes(const cst_system *system)
{
    return sizeof(double) * (size_t)system->contacts * (size_t)system->dim;
}

bool cst_record_begin(cst_record *record, const cst_system *system, const cst_method_settings *settings, cst_arena *arena)
{
    *record = (cst_record){.system = system, .settings = settings, .error = HUGE_VAL, .result = {.error = HUGE_VAL}};
    cst_growth_begin(&record->growth);
    record->best = CST_TAKE(arena, double, (size_t)system->contacts *(size_t)system->dim);
    return !arena->failed;
}

/* Returns true if the impulses grow in several successive windows of iterations. One window would not be enough: first-order
 * methods may need a hundred iterations to propagate an impulse through a pile. */
static bool is_growing(cst_record *record, const double *x, int iterations)
{
    const int since = record->growth.since;
    if (cst_growth_seen(&record->growth, record->system, x, iterations, record->result.error))
        record->growing++;
    else if (record->growth.since != since)
        record->growing = 0;
    return record->growing >= GROWTH_WINDOWS && record->growth.size > LARGE;
}

static double largest_impulse(const cst_system *system, const double *x)
{
    double largest = 0.0;
    for (int i = 0; i < system->contacts; i++)
        for (int k = 0; k < system->dim; k++)
            largest = fmax(largest, system->weight[i] * fabs(x[(size_t)i * (size_t)system->dim + (size_t)k]));
    return largest;
}

bool cst_record_note(cst_record *record, const double *x, const double *y, int iterations)
{
    cst_method_result *result = &record->result;
    result->iterations = iterations;
    record->error = cst_system_error(record->system, x, y, record->settings->fischer_burmeister);
    const bool possible = largest_impulse(record->system, x) <= IMPOSSIBLE;
    if (possible && record->error < result->error) {
        result->error = record->error;
        memcpy(record->best, x, vector_bytes(record->system));
    }
    result->converged = result->error <= record->settings->tolerance;
    return possible;
}

bool cst_record_judge(cst_record *record, const double *x, const double *y, int iterations)
{
    const cst_method_settings *settings = record->settings;
    cst_method_result *result = &record->result;
    const bool possible = cst_record_note(record, x, y, iterations);
    if (result->converged || iterations >= settings->max_iterations || isinf(record->error))
        return false;
    if (settings->keep_going && !settings->keep_going(settings->user, iterations, result->error)) {
        result->interrupted = true;
        return false;
    }
    result->growing = is_growing(record, x, iterations);
    result->stalled = !possible || result->growing;
    return !result->stalled;
}

cst_method_result cst_record_end(const cst_record *record, double *x)
{
    memcpy(x, record->best, vector_bytes(record->system));
    return record->result;
}

cst_method_result cst_record_close(const cst_record *record, double *x, cst_arena *arena, cst_arena_mark mark)
{
    const cst_method_result result = cst_record_end(record, x);
    cst_arena_release(arena, mark);
    return result;
}

void cst_record_mend(const cst_system *system, double *x)
{
    const size_t size = (size_t)system->contacts * (size_t)system->dim;
    for (size_t k = 0; k < size; k++)
        if (!isfinite(x[k]))
            x[k] = 0.0;
}
