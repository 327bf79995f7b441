#include "friction/solve_tied.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "friction/body_audit.h"
#include "friction/cone.h"
#include "friction/dual.h"
#include "friction/first_guess.h"
#include "friction/islands.h"
#include "friction/product.h"
#include "friction/solve.h"
#include "friction/ties.h"

/* Of the tolerance: judged by others, with other rounding. */
static const double AIM = 0.95;

typedef struct tied {
    int ties, others;
    int32_t *tie, *other; /* contacts: those eliminated, and the rest */
    cst_tie_plan plan;
} tied;

/* Bilateral, with a body. */
static bool is_tie(const cst_body_problem *problem, int contact)
{
    return problem->law && problem->law[contact] == CST_LAW_BILATERAL &&
           (problem->side_a[contact].body >= 0 || problem->side_b[contact].body >= 0);
}

static bool make_plan(const cst_body_problem *problem, cst_arena *arena, tied *out)
{
    *out = (tied){.tie = CST_TAKE_RAW(arena, int32_t, problem->contacts), .other = CST_TAKE_RAW(arena, int32_t, problem->contacts)};
    cst_tied_pair *pair = CST_TAKE_RAW(arena, cst_tied_pair, problem->contacts);
    int32_t *size = CST_TAKE_RAW(arena, int32_t, problem->bodies);
    if (arena->failed)
        return false;
    for (int i = 0; i < problem->contacts; i++) {
        if (!is_tie(problem, i)) {
            out->other[out->others++] = i;
            continue;
        }
        pair[out->ties] = (cst_tied_pair){{problem->side_a[i].body, problem->side_b[i].body}};
        out->tie[out->ties++] = i;
    }
    for (int k = 0; k < problem->bodies; k++)
        size[k] = problem->body[k].size;
    return cst_tie_plan_make(pair, out->ties, size, problem->bodies, arena, &out->plan);
}

/* Islands of the contacts that are left, by the bodies and cores that they share. NULL: out of memory. */
static int32_t *find_islands(const cst_halves *halves, int contacts, int bodies, cst_arena *arena, int *islands)
{
    int32_t *island = CST_TAKE_RAW(arena, int32_t, contacts), *number = CST_TAKE_RAW(arena, int32_t, contacts + bodies);
    cst_islands joined;
    if (arena->failed || !cst_islands_begin(&joined, contacts + bodies, arena))
        return NULL;
    for (int32_t i = 0; i < contacts; i++)
        for (int s = 0; s < halves->sides; s++)
            if (halves->half[halves->sides * (int64_t)i + s].body >= 0)
                cst_islands_join(&joined, i, contacts + halves->half[halves->sides * (int64_t)i + s].body);
    *islands = cst_islands_number(&joined, contacts, number, island);
    return island;
}

/* E of the contacts in the scale of the judge, whose w are those of bodies without ties. y (others x dim): scratch. */
static double judged_error(cst_system *system, const int32_t *other, const double *compliance, double V, const double *x, double *y)
{
    const int dim = system->dim;
    double largest = 0.0;
    cst_system_multiply(system, x, y);
    for (int k = 0; k < system->contacts; k++) {
        const double root = system->weight[k] * V, w = compliance[other[k]] > 0.0 ? compliance[other[k]] : root * root;
        double r[3] = {0}, u[3] = {0}, f[3] = {0}, square = 0.0;
        if (system->law[k] == CST_LAW_BILATERAL)
            continue;
        for (int c = 0; c < dim; c++) {
            r[c] = w * x[k * dim + c] / (root * V);
            u[c] = root * y[k * dim + c] / V;
        }
        cst_alart_curnier(dim, system->mu[k], r, u, f);
        for (int c = 0; c < dim; c++)
            square += f[c] * f[c];
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

/* Ties make contacts stiffer than the judge takes them to be, so that its E may be larger than that of the solver: then the solver is asked
 * for more. */
static void solve_as_judged(cst_system *system, const tied *t, const int32_t *island, int islands,
                            const cst_friction_options *options, const double *compliance, cst_arena *arena, double *x,
                            double *y, cst_friction_report *report)
{
    enum { ROUNDS = 3 };
    cst_friction_options inner = *options;
    inner.tolerance *= AIM;
    for (int round = 0; round < ROUNDS; round++) {
        cst_dual_solve(system, island, islands, &inner, arena, x, report);
        if (report->status != CST_SOLVED || options->judge_by_fischer_burmeister)
            return;
        const double error = judged_error(system, t->other, compliance, options->velocity_scale, x, y);
        if (error <= AIM * options->tolerance)
            return;
        inner.tolerance *= 0.5 * options->tolerance / error;
    }
}

/* Contacts that ties do not stop from being solved: the others, in product form. v: the motion with ties alone. */
static cst_status solve_others(const cst_ties *ties, const tied *t, const cst_halves *halves, const cst_friction_options *options,
                               const double *v, const double *compliance, cst_arena *arena, double *r,
                               cst_friction_report *report)
{
    const int dim = ties->dim, n = t->others;
    const double V = options->velocity_scale, start = cst_clock_seconds();
    double *x = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim), *y = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim);
    cst_system system = {.threads = report->threads}; /* natural order: all that hangs on one hub meets in it, colours are no use */
    cst_halves condensed;
    if (arena->failed || !cst_ties_condense(ties, halves, t->other, n, report->threads, arena, &condensed) ||
        !cst_product_wrap(ties->bodies, &condensed, t->other, n, v, V, arena, &system))
        return CST_OUT_OF_MEMORY;
    int islands;
    const int32_t *island = find_islands(&condensed, n, ties->bodies->problem->bodies, arena, &islands);
    if (!island)
        return CST_OUT_OF_MEMORY;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < dim; c++)
            x[k * dim + c] = r[t->other[k] * dim + c] * (system.weight[k] * V);
    cst_first_guess(&system, t->other, options, x);
    const double ready = cst_clock_seconds();
    report->setup_seconds += ready - start;
    solve_as_judged(&system, t, island, islands, options, compliance, arena, x, y, report);
    report->seconds = cst_clock_seconds() - ready;
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = t->other[report->blamed[k]];
    if (report->status != CST_OUT_OF_MEMORY)
        for (int k = 0; k < n; k++)
            for (int c = 0; c < dim; c++)
                r[t->other[k] * dim + c] = x[k * dim + c] / (system.weight[k] * V);
    return report->status;
}

bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                           double *compliance, cst_friction_report *report)
{
    const cst_body_problem *problem = bodies->problem;
    const int dim = problem->dim;
    const size_t dofs = (size_t)bodies->offset[problem->bodies];
    const double start = cst_clock_seconds();
    tied t;
    cst_halves halves;
    cst_ties ties;
    report->status = CST_OUT_OF_MEMORY;
    if (!make_plan(problem, arena, &t))
        return true;
    report->status = CST_SOLVED;
    if (t.ties == 0 || t.plan.largest > CST_TIE_CORE_MAX)
        return false;
    double *scratch = CST_TAKE_RAW(arena, double, 2 * (size_t)t.ties *(size_t)dim);
    double *alone = CST_TAKE(arena, double, (size_t)problem->contacts *(size_t)dim); /* impulses of the ties without contacts */
    double *guess = CST_TAKE_RAW(arena, double, (size_t)problem->contacts *(size_t)dim);
    if (arena->failed) {
        report->status = CST_OUT_OF_MEMORY;
        return true;
    }
    report->form = CST_FORM_PRODUCT;
    report->status = cst_halves_build(bodies, NULL, report->threads, arena, &halves, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return true;
    if (!cst_audit_halves(bodies, &halves, NULL, report->threads, arena, compliance)) {
        report->status = CST_OUT_OF_MEMORY;
        return true;
    }
    report->status = cst_ties_build(bodies, &t.plan, t.tie, t.ties, &halves, report->threads, arena, &ties);
    if (report->status == CST_BAD_PROBLEM)
        strcpy(report->message, "what a tied body weighs is not finite, or it could not be solved");
    if (report->status != CST_SOLVED)
        return true;
    memcpy(guess, r, sizeof(double) * (size_t)problem->contacts * (size_t)dim);
    memcpy(v, bodies->free_velocity, sizeof(double) * dofs);
    const bool met = cst_ties_meet(&ties, true, alone, v, scratch);
    report->setup_seconds += cst_clock_seconds() - start;
    if (met && t.others > 0 && solve_others(&ties, &t, &halves, options, v, compliance, arena, r, report) == CST_OUT_OF_MEMORY)
        return true;
    if (report->status == CST_NO_SOLUTION || report->status == CST_ILL_POSED) {
        memcpy(r, guess, sizeof(double) * (size_t)problem->contacts * (size_t)dim);
        cst_report_begin(options, report);
        return false;
    }
    for (int k = 0; k < t.ties; k++)
        memcpy(r + (int64_t)t.tie[k] * dim, alone + (int64_t)t.tie[k] * dim, sizeof(double) * (size_t)dim);
    if (!met || !cst_ties_meet(&ties, false, r, v, scratch)) {
        strcpy(report->message, "a body's solve callback failed");
        report->status = CST_BAD_PROBLEM;
    }
    return true;
}

cst_status cst_tied_motion(const cst_body_problem *problem, int threads, cst_arena *arena, double *r, double *v, char *message,
                           size_t message_size)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    const size_t rows = (size_t)problem->contacts * (size_t)problem->dim;
    tied t;
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *scratch = CST_TAKE_RAW(arena, double, 2 * rows);
    memset(r, 0, sizeof(double) * rows);
    if (arena->failed || !make_plan(problem, arena, &t))
        return CST_OUT_OF_MEMORY;
    cst_status status = cst_bodies_factor(problem, CST_BODIES_REDUCED, threads, arena, &bodies, message, message_size);
    if (status == CST_SOLVED)
        status = cst_halves_build(&bodies, NULL, threads, arena, &halves, message, message_size);
    if (status == CST_SOLVED)
        status = cst_ties_build(&bodies, &t.plan, t.tie, t.ties, &halves, threads, arena, &ties);
    if (status == CST_SOLVED) {
        memcpy(v, bodies.free_velocity, sizeof(double) * (size_t)bodies.offset[problem->bodies]);
        status = cst_ties_meet(&ties, true, r, v, scratch) ? CST_SOLVED : CST_BAD_PROBLEM;
    }
    if (status == CST_BAD_PROBLEM && message_size > 0 && message[0] == '\0')
        snprintf(message, message_size, "the motion of tied bodies could not be solved for");
    if (status != CST_OUT_OF_MEMORY)
        cst_arena_release(arena, mark);
    return status;
}
