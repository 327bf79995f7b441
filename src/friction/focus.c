/* The constants of this file were chosen with single time steps of mats of 250 and 1,000 fibers in 2, 3 and 4 layers
 * (docs/solvers.md). Except for GIVE_UP, the constants were then checked on other problems: mats of 500 and 2,000 fibers, and 400
 * and 1,000 hairs on a turning head. */
#include "friction/focus.h"

#include <math.h>
#include <string.h>

#include "base/shared_allocator.h"
#include "base/threads.h"
#include "friction/contact_errors.h"
#include "friction/islands.h"
#include "friction/proximal_newton.h"

enum {
    STEPS = 60, /* Newton steps */
    /* GIVE_UP: Newton's method stops if GIVE_UP successive steps have not halved the error. GIVE_UP = 6 instead of 24 makes a
     * scene of 1,000 hairs nine times slower, because Newton's method stops before it switches to its second residual function
     * (proximal_newton.c). */
    GIVE_UP = 24,
    LOOKS = 3,
    PARALLEL_MIN = 512
};
/* SHARE: contacts whose error exceeds SHARE times the largest error are chosen for Newton's method, with all contacts coupled
 * with them. If more than the share PART of all contacts is chosen, the next larger value of SHARE is tried. Values of SHARE[0]
 * between 0.01 and 0.1 change the solution time by less than 15 %. */
static const double SHARE[LOOKS] = {0.03, 0.2, 0.6};
/* PART: largest number of contacts chosen for Newton's method, divided by the number of all contacts. */
static const double PART = 0.5;
/* REDUCTION: Newton's method stops when the error is REDUCTION times its initial value; later sweeps would undo a further
 * reduction. Values of REDUCTION between 0.01 and 0.1 change the solution time by less than 15 %. */
static const double REDUCTION = 0.1;
/* AIM: Newton's method also stops when the error is AIM times the tolerance of the solver. */
static const double AIM = 0.8;

typedef struct focus {
    cst_system *system;
    cst_arena *arena;
    cst_contact_errors errors; /* Alart-Curnier errors */
    int32_t *chosen;           /* array (contacts): chosen contacts, increasing */
} focus;

/* Division of the chosen contacts into sets (parts) that are not coupled with each other. */
typedef struct parts {
    int count;
    int32_t *start;  /* array (count + 1) */
    int32_t *member; /* contacts of each part, increasing */
} parts;

static bool find_parts(focus *of, const cst_system *sub, parts *out)
{
    const size_t n = (size_t)sub->contacts;
    cst_islands islands;
    int32_t *number = CST_TAKE_RAW(of->arena, int32_t, n), *part = CST_TAKE_RAW(of->arena, int32_t, n);
    int32_t *column = CST_TAKE_RAW(of->arena, int32_t, n);
    *out = (parts){.start = CST_TAKE(of->arena, int32_t, n + 2), .member = CST_TAKE_RAW(of->arena, int32_t, n)};
    if (of->arena->failed || !cst_islands_begin(&islands, sub->contacts, of->arena))
        return false;
    for (int i = 0; i < sub->contacts; i++) {
        const int length = sub->coupling->row(sub, i, column, NULL);
        for (int k = 0; k < length; k++)
            cst_islands_join(&islands, i, column[k]);
    }
    out->count = cst_islands_number(&islands, sub->contacts, number, part);
    int32_t *next = out->start + 1; /* shifted while it is filled */
    for (int i = 0; i < sub->contacts; i++)
        next[part[i] + 1]++;
    for (int k = 0; k < out->count; k++)
        next[k + 1] += next[k];
    for (int i = 0; i < sub->contacts; i++)
        out->member[next[part[i]]++] = i;
    return true;
}

typedef struct task {
    focus *of;
    const cst_system *sub; /* friction problem of the chosen contacts */
    const cst_method_settings *settings;
    double flops_max;
    parts parts;
    double *x;                 /* impulses of the chosen contacts */
    cst_method_result *result; /* array (parts) */
    bool interrupted;          /* the callback stopped the solver */
} task;

static double error_of_part(const task *t, int part)
{
    double largest = 0.0;
    for (int32_t i = t->parts.start[part]; i < t->parts.start[part + 1]; i++)
        largest = fmax(largest, t->of->errors.error[t->of->chosen[t->parts.member[i]]]);
    return largest;
}

static void solve_part(task *t, int part, int threads, cst_arena *arena)
{
    const int32_t *member = t->parts.member + t->parts.start[part];
    const int count = t->parts.start[part + 1] - t->parts.start[part];
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_proximal_state newton = {.give_up = GIVE_UP};
    cst_system alone;
    double *x = cst_system_restrict_with(t->sub, member, count, t->x, arena, &alone);
    if (!x)
        return;
    alone.threads = threads;
    t->result[part] = cst_proximal_newton_within(&alone, t->settings, t->flops_max, &newton, arena, x);
    if (arena->failed)
        return;
    if (t->result[part].interrupted)
        t->interrupted = true;
    cst_system_scatter(t->sub, member, count, x, t->x);
    cst_arena_release(arena, mark);
}

/* Does Newton steps on each part of the chosen contacts, unless the error of the part is at most the tolerance. If several
 * threads share the parts, each part is solved by one thread, in an arena of this thread. The result does not depend on the
 * number of threads. With a callback of the caller, the parts are solved one after the other, because a callback need not be
 * thread-safe. Returns false if memory ran out. */
static bool solve_parts(task *t)
{
    cst_arena *arena = t->of->arena;
    const int threads = t->settings->keep_going ? 1 : cst_threads_for(t->of->system->threads, t->sub->contacts, PARALLEL_MIN);
    cst_shared_memory shared;
    const cst_allocator allocator = cst_shared_allocator(&shared, &arena->allocator);
    bool failed = false;
#pragma omp parallel num_threads(threads) reduction(|| : failed)
    {
        cst_arena own, *mine = threads > 1 ? &own : arena;
        if (threads > 1)
            cst_arena_begin(&own, &allocator);
#pragma omp for schedule(dynamic, 1)
        for (int part = 0; part < t->parts.count; part++)
            if (!mine->failed && !t->interrupted && error_of_part(t, part) > t->settings->tolerance)
                solve_part(t, part, threads > 1 ? 1 : t->of->system->threads, mine);
        failed = mine->failed;
        if (threads > 1)
            cst_arena_end(&own);
    }
    arena->failed = arena->failed || failed;
    return !arena->failed;
}

/* Returns false if memory ran out. */
static bool solve_chosen(focus *of, const cst_method_settings *settings, double flops_max, int count, double error, double *x,
                         cst_focus_result *result)
{
    cst_system sub;
    cst_method_settings inner = *settings;
    task t = {.of = of, .sub = &sub, .settings = &inner, .flops_max = flops_max};
    t.x = cst_system_hold_others(of->system, of->chosen, count, x, of->errors.y, of->arena, &sub);
    if (!t.x || !find_parts(of, &sub, &t.parts))
        return false;
    inner.tolerance = fmax(REDUCTION * error, AIM * settings->tolerance);
    inner.fischer_burmeister = false; /* same measure as `error` */
    inner.max_iterations = settings->max_iterations < STEPS ? settings->max_iterations : STEPS;
    t.result = CST_TAKE(of->arena, cst_method_result, (size_t)t.parts.count);
    if (of->arena->failed || !solve_parts(&t))
        return false;
    double left = 0.0;
    for (int part = 0; part < t.parts.count; part++) {
        const cst_method_result *newton = t.result + part;
        result->iterations = newton->iterations > result->iterations ? newton->iterations : result->iterations;
        left = fmax(left, newton->error);
    }
    result->contacts = count;
    result->interrupted = t.interrupted;
    result->improved = result->iterations > 0 && left < 0.5 * error;
    cst_system_scatter(of->system, of->chosen, count, t.x, x);
    return true;
}

cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena, double *x)
{
    cst_focus_result result = {0};
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    focus of = {.system = system, .arena = arena, .chosen = CST_TAKE_RAW(arena, int32_t, (size_t)system->contacts)};
    if (arena->failed || !cst_contact_errors_begin(system, false, arena, &of.errors))
        return result;
    const double error = cst_contact_errors_find(&of.errors, x);
    const int most = (int)(PART * system->contacts);
    int count = -1;
    for (int k = 0; k < LOOKS && count < 0; k++)
        count = cst_contact_errors_above(&of.errors, SHARE[k] * error, NULL, 0, most, of.chosen);
    if (count >= 0 && isfinite(error) && !solve_chosen(&of, settings, flops_max, count, error, x, &result))
        return result;
    cst_arena_release(arena, mark);
    return result;
}
