/* The constants of this file were tuned on single time steps of mats of 250 and 1,000 fibers in 2, 3 and 4 layers
 * (docs/solvers.md). The constants of this file were checked on mats of 500 and 2,000 fibers, and on 400 and 1,000 hairs on a
 * turning head. If SHARE[0] or REDUCTION is set to any value between 0.01 and 0.1, the solution time changes by less than 15
 * %. */
#include "friction/focus.h"

#include <math.h>
#include <string.h>

#include "friction/cone.h"
#include "friction/proximal_newton.h"

enum {
    STEPS = 60, /* Newton steps */
    GIVE_UP =
        /* Newton's method stops after GIVE_UP steps that have not halved the error. With GIVE_UP = 6, a scene of 1,000 hairs took
         * nine times as long, because Newton's method stopped before it switched to its other residual function
         * (proximal_newton.c). */
    24,
    LOOKS = 3,
    PARALLEL_MIN = 512
};
/* Newton's method works on the contacts whose error is above a given share of the largest error, and on their neighbours. The
 * array SHARE has the shares of the largest error in the order in which they are tried. The next larger share of the largest
 * error is tried if the present share selects more than half of all contacts. */
static const double SHARE[LOOKS] = {0.03, 0.2, 0.6};
static const double PART = 0.5; /* largest number of contacts for Newton's method, as a share of all contacts */
/* Newton's method stops when the error is at most REDUCTION times its initial value, because later sweeps would undo a further
 * reduction. */
static const double REDUCTION = 0.1;

/* Data for Newton's method on the set F of contacts with large errors. */
typedef struct focus {
    cst_system *system;
    cst_arena *arena;
    double *y;       /* (n x dim) contact velocities */
    double *share;   /* (n) error of each contact */
    uint8_t *in;     /* (n) 1: in F */
    int32_t *column; /* (longest row) */
    double *block;
    int32_t *chosen; /* (n) the contacts of F, increasing */
} focus;

static double share_of(const cst_system *system, int i, const double *x, const double *y)
{
    const int64_t at = (int64_t)i * system->dim;
    double f[3] = {0};
    if (system->law[i] == CST_LAW_BILATERAL)
        memcpy(f, y + at, sizeof(double) * (size_t)system->dim);
    else
        cst_alart_curnier(system->dim, system->mu[i], x + at, y + at, f);
    return system->weight[i] * sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

/* Computes the errors of all contacts; returns the largest. */
static double look(focus *of, const double *x)
{
    const int n = of->system->contacts;
    double largest = 0.0;
    cst_system_multiply(of->system, x, of->y);
#pragma omp parallel for schedule(static) num_threads(of->system->threads) if (n >= PARALLEL_MIN) reduction(max : largest)
    for (int i = 0; i < n; i++) {
        of->share[i] = share_of(of->system, i, x, of->y);
        largest = fmax(largest, of->share[i]);
    }
    return largest;
}

static bool begin(focus *of, cst_system *system, cst_arena *arena)
{
    const size_t n = (size_t)system->contacts, dim = (size_t)system->dim;
    int longest = 1;
#pragma omp parallel for schedule(static) num_threads(system->threads) if (n >= PARALLEL_MIN) reduction(max : longest)
    for (int i = 0; i < system->contacts; i++) {
        const int length = system->coupling->row_length(system, i);
        longest = length > longest ? length : longest;
    }
    *of = (focus){.system = system,
                  .arena = arena,
                  .y = CST_TAKE_RAW(arena, double, n *dim),
                  .share = CST_TAKE_RAW(arena, double, n),
                  .in = CST_TAKE_RAW(arena, uint8_t, n),
                  .column = CST_TAKE_RAW(arena, int32_t, (size_t)longest),
                  .block = CST_TAKE_RAW(arena, double, (size_t)longest *dim *dim),
                  .chosen = CST_TAKE_RAW(arena, int32_t, n)};
    return !arena->failed;
}

/* Chooses the contacts with an error above `least` and all contacts coupled with them; returns their number. */
static int choose(focus *of, double least)
{
    const cst_system *system = of->system;
    int count = 0;
    memset(of->in, 0, (size_t)system->contacts);
    for (int i = 0; i < system->contacts; i++) {
        if (!(of->share[i] > least))
            continue;
        const int length = system->coupling->row_length(system, i);
        system->coupling->row(system, i, of->column, of->block);
        of->in[i] = 1;
        for (int k = 0; k < length; k++)
            of->in[of->column[k]] = 1;
    }
    for (int i = 0; i < system->contacts; i++)
        if (of->in[i])
            of->chosen[count++] = i;
    return count;
}

/* Makes a system of the chosen contacts, with the impulses of all other contacts fixed. */
static bool hold_others(focus *of, int count, const double *x, double *part, cst_system *sub)
{
    const size_t size = (size_t)count * (size_t)of->system->dim;
    double *y = CST_TAKE_RAW(of->arena, double, size), *own = CST_TAKE_RAW(of->arena, double, size);
    if (of->arena->failed || !cst_system_restrict(of->system, of->chosen, count, of->arena, sub))
        return false;
    cst_system_gather(of->system, of->chosen, count, x, part);
    cst_system_gather(of->system, of->chosen, count, of->y, y);
    cst_system_multiply(sub, part, own);
    for (size_t k = 0; k < size; k++)
        sub->b[k] += y[k] - own[k];
    return true;
}

cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena, double *x)
{
    cst_focus_result result = {0};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    focus of;
    if (!begin(&of, system, arena))
        return result;
    const double error = look(&of, x);
    int count = system->contacts;
    for (int k = 0; k < LOOKS && count > PART * system->contacts; k++)
        count = choose(&of, SHARE[k] * error);
    if (count <= PART * system->contacts && isfinite(error)) {
        cst_system sub;
        cst_method_settings inner = *settings;
        cst_proximal_state newton = {.give_up = GIVE_UP};
        double *part = CST_TAKE_RAW(arena, double, (size_t)count *(size_t)system->dim);
        if (arena->failed || !hold_others(&of, count, x, part, &sub))
            return result;
        inner.tolerance = fmax(REDUCTION * error, 0.3 * settings->tolerance);
        inner.fischer_burmeister = false; /* same measure as `error` */
        inner.max_iterations = settings->max_iterations < STEPS ? settings->max_iterations : STEPS;
        const cst_method_result method = cst_proximal_newton_within(&sub, &inner, flops_max, &newton, arena, part);
        if (arena->failed)
            return result;
        result = (cst_focus_result){.contacts = count,
                                    .iterations = method.iterations,
                                    .improved = method.iterations > 0 && method.error < 0.5 * error,
                                    .interrupted = method.interrupted};
        if (result.improved)
            cst_system_scatter(system, of.chosen, count, part, x);
    }
    cst_arena_release(arena, mark);
    return result;
}
