#include "friction/solve_tied.h"

#include <assert.h>
#include <math.h>
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

/* AIM: tolerance of the solver, as a fraction of the requested tolerance; the margin covers rounding errors of the final
 * residual. */
static const double AIM = 0.95;

typedef struct tied {
    int ties, others;
    int32_t *tie, *other; /* bilateral constraints, other contacts */
    cst_tie_plan plan;
} tied;

static bool is_tie(const cst_body_problem *problem, int contact)
{
    return problem->law && problem->law[contact] == CST_LAW_BILATERAL &&
           (problem->side_a[contact].body >= 0 || problem->side_b[contact].body >= 0);
}

static bool make_plan(const cst_body_problem *problem, cst_arena *arena, tied *out)
{
    *out =
        (tied){.tie = CST_TAKE_RAW(arena, int32_t, problem->contacts), .other = CST_TAKE_RAW(arena, int32_t, problem->contacts)};
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

/* Divides the contacts into islands (sets of coupled contacts) after the elimination of the bilateral constraints. Two contacts
 * are coupled if they act on the same body, or on the same group of connected hub bodies (bodies that carry others, tie_plan.h).
 * Returns NULL if memory ran out. */
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

/* Returns the largest Alart-Curnier error of all contacts that are not bilateral. The errors are scaled as in the residual: with
 * the compliance that a contact would have without bilateral constraints. `y` (others x dim): scratch. */
static double judged_error(cst_system *system, const int32_t *other, const double *compliance, double V, const double *x,
                           double *y)
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

/* Solves the contacts in at most three rounds, with a smaller tolerance in each round, until the residual meets its tolerance.
 * The residual may exceed the solver's own error, because bilateral constraints make contacts stiffer than the residual
 * assumes. */
static void solve_as_judged(cst_system *system, const tied *t, const int32_t *island, int islands,
                            const cst_friction_options *options, const double *compliance, cst_arena *arena, double *x, double *y,
                            cst_friction_report *report)
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

/* Solves the contacts that are not bilateral constraints, without forming the Delassus matrix. `v`: velocities of the bodies
 * without contact impulses. */
static cst_status solve_others(const cst_ties *ties, const tied *t, const cst_halves *halves, const cst_friction_options *options,
                               const double *v, const double *compliance, cst_arena *arena, double *r,
                               cst_friction_report *report)
{
    const int dim = ties->dim, n = t->others;
    const double V = options->velocity_scale, start = cst_clock_seconds();
    double *x = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim), *y = CST_TAKE_RAW(arena, double, (size_t)n *(size_t)dim);
    cst_system system = {.threads =
                             /* no colours: the bilateral constraints couple all contacts on bodies that are joined to the same
                              * body, so each of these contacts would need its own colour */
                         report->threads};
    cst_halves condensed;
    if (arena->failed || !cst_ties_condense(ties, halves, t->other, n, report->threads, arena, &condensed) ||
        !cst_product_wrap(ties->bodies, &condensed, t->other, n, v, V, arena, &system))
        return CST_OUT_OF_MEMORY;
    int islands;
    const int32_t *island = find_islands(&condensed, n, ties->bodies->problem->bodies, arena, &islands);
    if (!island)
        return CST_OUT_OF_MEMORY;
    cst_system_scale(&system, t->other, V, r, x);
    cst_first_guess(&system, t->other, options, x);
    const double ready = cst_clock_seconds();
    report->setup_seconds += ready - start;
    solve_as_judged(&system, t, island, islands, options, compliance, arena, x, y, report);
    report->seconds = cst_clock_seconds() - ready;
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = t->other[report->blamed[k]];
    if (report->status != CST_OUT_OF_MEMORY)
        cst_system_unscale(&system, t->other, V, x, r);
    return report->status;
}

/* --------------------------------------------------------------------------------------------------- elimination, or a loan */

/* Collects the half solves L^-1 H^T (half.h) of all contacts. The half solves of bilateral constraints are copied from the
 * earlier elimination `lent`; all others are computed and checked (friction/body_audit.h). Bilateral constraints get the
 * compliance 0. */
static cst_status borrow_halves(const cst_bodies *bodies, const tied *t, const cst_tie_loan *lent, cst_arena *arena,
                                cst_halves *out, double *compliance, cst_friction_report *report)
{
    cst_body_problem problem = *bodies->problem;
    cst_bodies touched = *bodies;
    problem.contacts = t->others;
    touched.problem = &problem;
    const cst_status status =
        cst_halves_build(&touched, NULL, report->threads, arena, out, report->message, sizeof report->message);
    if (status != CST_SOLVED)
        return status;
    cst_half *half = CST_TAKE_RAW(arena, cst_half, 2 * (size_t)bodies->problem->contacts);
    if (arena->failed || !cst_audit_halves(&touched, out, NULL, report->threads, arena, compliance))
        return CST_OUT_OF_MEMORY;
    memcpy(half, out->half, 2 * (size_t)t->others * sizeof *half);
    for (int k = 0; k < t->ties; k++) {
        const int32_t contact = t->tie[k], there = lent->whole_contact[contact] - lent->first;
        const int32_t end[2] = {bodies->problem->side_a[contact].body, bodies->problem->side_b[contact].body};
        assert(contact >= t->others);
        for (int s = 0; s < 2; s++) {
            cst_half *of = half + 2 * (int64_t)contact + s;
            *of = lent->motion->halves.half[2 * (int64_t)there + s];
            if (of->body >= 0)
                of->body = end[0] >= 0 && lent->body[lent->whole_body[end[0]]] == of->body ? end[0] : end[1];
        }
        compliance[contact] = 0.0;
    }
    out->half = half;
    return CST_SOLVED;
}

static cst_status make_halves(const cst_bodies *bodies, cst_arena *arena, cst_halves *out, double *compliance,
                              cst_friction_report *report)
{
    const cst_status status =
        cst_halves_build(bodies, NULL, report->threads, arena, out, report->message, sizeof report->message);
    if (status != CST_SOLVED)
        return status;
    return cst_audit_halves(bodies, out, NULL, report->threads, arena, compliance) ? CST_SOLVED : CST_OUT_OF_MEMORY;
}

/* Returns an array with one pointer per body: to the factors of the body in the earlier elimination `lent` if it is a leaf body
 * there, otherwise NULL. A leaf body is joined only to the world and to bodies that carry others (ties.h). */
static const cst_tie_leaf **lent_leaves(const cst_bodies *bodies, const cst_tie_loan *lent, cst_arena *arena)
{
    const cst_ties *ties = &lent->motion->ties;
    const cst_tie_leaf **leaf = CST_TAKE(arena, const cst_tie_leaf *, bodies->problem->bodies);
    for (int b = 0; !arena->failed && b < bodies->problem->bodies; b++) {
        const int32_t there = lent->body[lent->whole_body[b]];
        if (there >= 0 && ties->leaf_of[there] >= 0)
            leaf[b] = ties->leaf + ties->leaf_of[there];
    }
    return leaf;
}

/* Copies the motion without contacts from the earlier elimination `lent` of the bilateral constraints: the velocities of the
 * constrained bodies to `v`, and the constraint impulses to `r`. */
static void take_motion(const cst_bodies *bodies, const tied *t, const cst_tie_loan *lent, double *r, double *v)
{
    const cst_tied_motion *motion = lent->motion;
    const size_t dim = (size_t)bodies->problem->dim;
    for (int b = 0; b < bodies->problem->bodies; b++) {
        const int32_t there = lent->body[lent->whole_body[b]];
        if (there >= 0)
            memcpy(v + bodies->offset[b], motion->v + motion->bodies.offset[there],
                   sizeof(double) * (size_t)bodies->problem->body[b].size);
    }
    for (int k = 0; k < t->ties; k++)
        memcpy(r + dim * (size_t)t->tie[k], motion->r + dim * (size_t)(lent->whole_contact[t->tie[k]] - lent->first),
               dim * sizeof *r);
}

static cst_status eliminate(const cst_bodies *bodies, const tied *t, const cst_tie_loan *lent, cst_arena *arena,
                            cst_halves *halves, cst_ties *ties, double *compliance, cst_friction_report *report)
{
    const cst_tie_leaf **leaf = lent ? lent_leaves(bodies, lent, arena) : NULL;
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_status status = lent ? borrow_halves(bodies, t, lent, arena, halves, compliance, report)
                             : make_halves(bodies, arena, halves, compliance, report);
    if (status != CST_SOLVED)
        return status;
    status = cst_ties_build(bodies, &t->plan, t->tie, t->ties, halves, leaf, report->threads, arena, ties);
    if (status == CST_BAD_PROBLEM)
        strcpy(report->message, "the matrix of bodies joined by bilateral constraints is not finite or singular");
    return status;
}

bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report)
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
    double *scratch = CST_TAKE_RAW(arena, double, 2 * (size_t)t.ties * (size_t)dim);
    double *alone = CST_TAKE(arena, double, (size_t)problem->contacts *(size_t)dim); /* constraint impulses without contacts */
    double *guess = CST_TAKE_RAW(arena, double, (size_t)problem->contacts *(size_t)dim);
    if (arena->failed) {
        report->status = CST_OUT_OF_MEMORY;
        return true;
    }
    report->form = CST_FORM_PRODUCT;
    report->status = eliminate(bodies, &t, lent, arena, &halves, &ties, compliance, report);
    if (report->status != CST_SOLVED)
        return true;
    memcpy(guess, r, sizeof(double) * (size_t)problem->contacts * (size_t)dim);
    memcpy(v, bodies->free_velocity, sizeof(double) * dofs);
    if (lent)
        take_motion(bodies, &t, lent, alone, v);
    const bool met = lent || cst_ties_meet(&ties, true, alone, v, scratch);
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

cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out)
{
    const size_t rows = (size_t)problem->contacts * (size_t)problem->dim;
    char unread[160];
    tied t;
    *out = (cst_tied_motion){.problem = problem, .r = CST_TAKE(arena, double, rows)};
    double *scratch = CST_TAKE_RAW(arena, double, 2 * rows);
    if (arena->failed || !make_plan(problem, arena, &t))
        return CST_OUT_OF_MEMORY;
    cst_status status = cst_bodies_factor(problem, CST_BODIES_NO_MOTION, threads, arena, &out->bodies, unread, sizeof unread);
    if (status != CST_SOLVED)
        return status;
    const size_t dofs = (size_t)out->bodies.offset[problem->bodies];
    out->v = CST_TAKE_RAW(arena, double, dofs);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    memcpy(out->bodies.free_velocity, free_velocity, dofs * sizeof(double));
    memcpy(out->v, free_velocity, dofs * sizeof(double));
    status = cst_halves_build(&out->bodies, NULL, threads, arena, &out->halves, unread, sizeof unread);
    if (status == CST_SOLVED)
        status = cst_ties_build(&out->bodies, &t.plan, t.tie, t.ties, &out->halves, NULL, threads, arena, &out->ties);
    if (status == CST_SOLVED && !cst_ties_meet(&out->ties, true, out->r, out->v, scratch))
        status = CST_BAD_PROBLEM;
    return status;
}
