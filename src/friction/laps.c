#include "friction/laps.h"

#include <math.h>
#include <string.h>

#include "friction/record.h"

enum {
    WORTH_IT = 100, /* smallest number of contacts for which rounds on the active contacts save time */
    /* number of iterations over all contacts before the first round; these iterations show which contacts are active */
    FIRST_ITERATIONS = 10,
    /* upper estimate of the memory (bytes) that a round needs per contact, in addition to the contact's row of the Delassus
     * matrix */
    CONTACT_BYTES = 512
};
/* SHARE: if the share of active contacts is larger than SHARE, the method iterates on all contacts. If most contacts are active,
 * rounds on the active contacts save too little time, because every round restarts Nesterov's momentum (momentum.h). */
static const double SHARE = 0.7;
/* a round ends when the error of the active contacts is at most REDUCTION times the error of all contacts at the start of the
 * round, or at most half the tolerance */
static const double REDUCTION = 0.1;

typedef struct lap_driver {
    cst_method method;
    cst_system *system;
    const cst_method_settings *settings;
    cst_arena *arena;
    cst_record record;
    int iterations;
    bool whole;    /* true during iterations over all contacts */
    double *x, *y; /* (n x dim) */
    /* array (n): 1 if the contact was active at the start of any round so far */
    uint8_t *in;
    int32_t *chosen; /* array (n): increasing indices of the contacts of the present round */
} lap_driver;

/* Calls the progress callback with the number of iterations in all rounds and the smallest error of the whole problem so far. */
static bool keep_going(void *user, int iterations, double error)
{
    const lap_driver *d = user;
    const double best = d->whole ? fmin(error, d->record.result.error) : d->record.result.error;
    return d->settings->keep_going(d->settings->user, d->iterations + iterations, best);
}

/* Runs the iterative method of the caller on all contacts or on the active contacts; returns false if the iteration must stop. */
static bool run(lap_driver *d, cst_system *system, double tolerance, int max_iterations, double *x)
{
    const int left = d->settings->max_iterations - d->iterations;
    const cst_method_settings settings = {.tolerance = tolerance,
                                          .fischer_burmeister = d->settings->fischer_burmeister,
                                          .max_iterations = max_iterations < left ? max_iterations : left,
                                          .keep_going = d->settings->keep_going ? keep_going : NULL,
                                          .user = d};
    d->whole = system == d->system;
    const cst_method_result result = d->method(system, &settings, d->arena, x);
    d->iterations += result.iterations;
    d->record.result.interrupted = result.interrupted;
    d->record.result.stalled = result.stalled;
    d->record.result.growing = result.growing;
    return !d->arena->failed && !result.interrupted && !result.stalled;
}

static int choose(lap_driver *d)
{
    const cst_system *system = d->system;
    int count = 0;
    for (int i = 0; i < system->contacts; i++) {
        if (cst_system_is_active(system, i, d->x, d->y))
            d->in[i] = 1;
        if (d->in[i])
            d->chosen[count++] = i;
    }
    return count;
}

static bool lap(lap_driver *d, int count)
{
    const cst_arena_mark mark = cst_arena_mark_now(d->arena);
    cst_system part;
    double *x = cst_system_restrict_with(d->system, d->chosen, count, d->x, d->arena, &part);
    if (!x)
        return false;
    const double target = fmax(REDUCTION * d->record.error, 0.5 * d->settings->tolerance);
    const bool going = run(d, &part, target, d->settings->max_iterations, x);
    if (d->arena->failed)
        return false;
    cst_system_put_back(d->system, d->chosen, count, x, d->x);
    cst_arena_release(d->arena, mark);
    return going;
}

/* Computes the error of the whole problem after the last round, whose impulses may be the best so far. */
static cst_method_result last_look(lap_driver *d)
{
    cst_system_multiply(d->system, d->x, d->y);
    cst_record_note(&d->record, d->x, d->y, d->iterations);
    return cst_record_end(&d->record, d->x);
}

static cst_method_result drive(lap_driver *d)
{
    bool going = run(d, d->system, d->settings->tolerance, FIRST_ITERATIONS, d->x);
    while (going) {
        cst_system_multiply(d->system, d->x, d->y);
        if (!cst_record_judge(&d->record, d->x, d->y, d->iterations))
            return cst_record_end(&d->record, d->x);
        const int count = choose(d);
        if (count > SHARE * d->system->contacts) {
            run(d, d->system, d->settings->tolerance, d->settings->max_iterations, d->x);
            break;
        }
        going = lap(d, count);
    }
    return d->arena->failed ? d->record.result : last_look(d);
}

static void reserve(const cst_system *system, cst_arena *arena)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const double row_bytes = SHARE * system->coupling->bytes_per_sweep(system);
    cst_arena_take_raw(arena, (size_t)row_bytes + (size_t)system->contacts * CONTACT_BYTES, 1);
    if (!arena->failed)
        cst_arena_release(arena, mark);
}

cst_method_result cst_in_laps(cst_method method, cst_system *system, const cst_method_settings *settings, cst_arena *arena,
                              double *x)
{
    if (system->contacts < WORTH_IT)
        return method(system, settings, arena, x);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t n = (size_t)system->contacts;
    lap_driver d = {.method = method,
                    .system = system,
                    .settings = settings,
                    .arena = arena,
                    .x = x,
                    .y = CST_TAKE_RAW(arena, double, n *(size_t)system->dim),
                    .in = CST_TAKE(arena, uint8_t, n),
                    .chosen = CST_TAKE_RAW(arena, int32_t, n)};
    reserve(system, arena);
    if (!cst_record_begin(&d.record, system, settings, arena))
        return d.record.result;
    const cst_method_result result = drive(&d);
    if (!arena->failed)
        cst_arena_release(arena, mark);
    return result;
}
