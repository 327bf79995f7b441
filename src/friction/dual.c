#include "friction/dual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "friction/automatic.h"
#include "friction/cadoux.h"
#include "friction/gauss_seidel.h"
#include "friction/interior_point.h"
#include "friction/local.h"
#include "friction/nonsmooth_newton.h"
#include "friction/plain_projected_gauss_seidel.h"
#include "friction/projected_gauss_seidel.h"
#include "friction/projected_gradient.h"
#include "friction/solve.h"

typedef struct progress_link {
    const cst_friction_options *options;
    int iterations_before; /* of the finished islands */
} progress_link;

static bool pass_on_progress(void *user, int iterations, double error)
{
    const progress_link *link = user;
    const cst_friction_progress progress = {
        .iterations = link->iterations_before + iterations, .error = error, .phase = cst_solver_name(link->options->solver)};
    return link->options->progress(link->options->progress_user, &progress);
}

static void add(cst_friction_report *report, const cst_method_result *result)
{
    report->iterations_total += result->iterations;
    report->local_solves += result->local_solves;
    report->local_failures += result->local_failures;
    report->fallbacks += result->fallbacks;
}

static cst_method_result solve_island(cst_system *system, const cst_method_settings *settings,
                                      const cst_friction_options *options, cst_arena *arena, double *x,
                                      cst_friction_report *report)
{
    const cst_local_choice local = {.solver = options->local, .failsafe = options->local_failsafe, .tolerance = 1e-12};
    switch (options->solver) {
    case CST_SOLVER_GAUSS_SEIDEL:
        return cst_gauss_seidel(system, settings, local, options->freeze, arena, x);
    case CST_SOLVER_NEWTON_ALART_CURNIER:
    case CST_SOLVER_NEWTON_FISCHER_BURMEISTER: {
        const bool fischer_burmeister = options->solver == CST_SOLVER_NEWTON_FISCHER_BURMEISTER;
        const cst_method_result result = cst_global_newton(system, settings, fischer_burmeister, options->line_search, arena, x);
        report->newton_iterations += result.iterations;
        return result;
    }
    case CST_SOLVER_PLAIN_NEWTON: {
        const cst_method_result result = cst_plain_newton(system, settings, arena, x);
        report->newton_iterations += result.iterations;
        return result;
    }
    case CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL:
        return cst_plain_projected_gauss_seidel(system, settings, arena, x);
    case CST_SOLVER_PROJECTED_GAUSS_SEIDEL:
        return cst_projected_gauss_seidel(system, settings, arena, x);
    case CST_SOLVER_PROJECTED_GRADIENT:
        return cst_projected_gradient(system, settings, arena, x);
    case CST_SOLVER_CADOUX:
        return cst_cadoux(system, settings, arena, x);
    case CST_SOLVER_INTERIOR_POINT: {
        const cst_method_result result = cst_interior_point(system, settings, HUGE_VAL, arena, x);
        report->newton_iterations += result.iterations;
        return result;
    }
    case CST_SOLVER_ACCELERATED:
    case CST_SOLVER_AUTO:
    default:
        return cst_automatic(system, settings, options, local, arena, x, report);
    }
}

static bool has_nothing_to_do(const cst_system *system)
{
    for (int i = 0; i < system->contacts; i++)
        if (system->law[i] == CST_LAW_BILATERAL || system->b[(size_t)i * (size_t)system->dim] < 0.0)
            return false;
    return true;
}

/* Finds the contacts that are to blame for an unsolved island. A contact whose error exceeds the tolerance is blamed if no
 * impulse, or only a huge one, satisfies the law of this contact while all other impulses are fixed. If the impulses grew while
 * the error did not fall, every contact whose error exceeds the tolerance is blamed. */
static cst_status diagnose(cst_system *system, const cst_method_result *result, const int32_t *contact, double tolerance,
                           double *x, cst_arena *arena, cst_friction_report *report)
{
    const int dim = system->dim;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    double *y = CST_TAKE_RAW(arena, double, (size_t)system->contacts *(size_t)dim);
    cst_status status = CST_TOLERANCE_MISSED;
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    cst_system_multiply(system, x, y);
    for (int i = 0; i < system->contacts; i++) {
        const size_t at = (size_t)i * (size_t)dim;
        cst_system one = *system;
        one.contacts = 1;
        one.weight += i;
        one.mu += i;
        one.law += i;
        if (cst_system_error(&one, x + at, y + at, false) <= tolerance)
            continue;
        double beta[3], r[3] = {0};
        const double *a = system->diagonal + at * (size_t)dim;
        for (int row = 0; row < dim; row++) {
            beta[row] = y[at + (size_t)row];
            for (int k = 0; k < dim; k++)
                beta[row] -= a[row * dim + k] * x[at + (size_t)k];
        }
        bool blamed = result->growing;
        if (result->growing && status == CST_TOLERANCE_MISSED)
            status = CST_NO_SOLUTION;
        if (system->law[i] != CST_LAW_BILATERAL) {
            const cst_local_result alone = cst_local_solve(CST_LOCAL_DIRECT, dim, a, beta, system->mu[i], 0.0, r);
            if (alone.status == CST_LOCAL_NO_SOLUTION) {
                status = CST_NO_SOLUTION;
                blamed = true;
                snprintf(report->message, sizeof report->message, "a contact has no solution of its own: %s", alone.certificate);
            } else if (alone.status == CST_LOCAL_ILL_POSED) {
                status = status == CST_NO_SOLUTION ? status : CST_ILL_POSED;
                blamed = true;
            }
        }
        if (blamed && report->blamed_count < CST_BLAMED_MAX)
            report->blamed[report->blamed_count++] = contact[i];
    }
    if (status == CST_NO_SOLUTION && report->message[0] == '\0')
        snprintf(report->message, sizeof report->message,
                 "impulses grow without bound while the error does not fall: the problem looks infeasible");
    cst_arena_release(arena, mark);
    return status;
}

/* Solves a contact without coupled neighbours by the direct local solver. Returns false if the direct local solver does not find
 * a solution, or if the caller did not choose the solver `auto`. */
static bool solve_alone(const cst_system *system, int contact, const cst_friction_options *options, double *x,
                        cst_friction_report *report)
{
    const size_t dim = (size_t)system->dim, i = (size_t)contact;
    const double *W = system->diagonal + i * dim * dim, *b = system->b + i * dim;
    if (options->solver != CST_SOLVER_AUTO)
        return false;
    double alone[3];
    memcpy(alone, x, dim * sizeof(double));
    const cst_local_status status = system->law[i] == CST_LAW_BILATERAL
                                        ? cst_local_bilateral(system->dim, W, b, alone)
                                        : cst_local_solve(CST_LOCAL_DIRECT, system->dim, W, b, system->mu[i], 0.0, alone).status;
    report->local_solves++;
    if (status != CST_LOCAL_SOLVED)
        return false;
    memcpy(x, alone, dim * sizeof(double));
    return true;
}

static cst_status solve_one(cst_system *system, const int32_t *contact, const cst_friction_options *options, cst_arena *arena,
                            double *x, cst_friction_report *report)
{
    if (system->contacts == 1 && solve_alone(system, 0, options, x, report))
        return CST_SOLVED;
    if (has_nothing_to_do(system)) {
        memset(x, 0, sizeof(double) * (size_t)system->contacts * (size_t)system->dim);
        return CST_SOLVED;
    }
    progress_link link = {.options = options, .iterations_before = report->iterations_total};
    const cst_method_settings settings = {.tolerance = options->tolerance,
                                          .fischer_burmeister = options->judge_by_fischer_burmeister,
                                          .max_iterations = options->max_iterations,
                                          .keep_going = options->progress ? pass_on_progress : NULL,
                                          .user = &link};
    const cst_method_result result = solve_island(system, &settings, options, arena, x, report);
    if (arena->failed)
        return CST_OUT_OF_MEMORY;
    add(report, &result);
    if (result.converged)
        return CST_SOLVED;
    return result.interrupted ? CST_INTERRUPTED : diagnose(system, &result, contact, options->tolerance, x, arena, report);
}

/* Sorts the islands by increasing number of contacts: if the caller interrupts a large island, all smaller islands are already
 * solved. */
static void sort_by_size(const int32_t *start, int islands, int contacts, int32_t *count, int32_t *turn)
{
    memset(count, 0, ((size_t)contacts + 2) * sizeof *count);
    for (int k = 0; k < islands; k++)
        count[start[k + 1] - start[k] + 1]++;
    for (int size = 0; size <= contacts; size++)
        count[size + 1] += count[size];
    for (int k = 0; k < islands; k++)
        turn[count[start[k + 1] - start[k]]++] = k;
}

/* Sorts the contacts by island, stable. `start`: (islands + 1). */
static void sort_by_island(const int32_t *island, int contacts, int islands, int32_t *start, int32_t *sorted)
{
    memset(start, 0, ((size_t)islands + 1) * sizeof *start);
    for (int i = 0; i < contacts; i++)
        start[island[i] + 1]++;
    for (int k = 0; k < islands; k++)
        start[k + 1] += start[k];
    for (int i = 0; i < contacts; i++)
        sorted[start[island[i]]++] = i;
    for (int k = islands; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

void cst_dual_solve(cst_system *system, const int32_t *island, int islands, const cst_friction_options *options, cst_arena *arena,
                    double *x, cst_friction_report *report)
{
    const size_t dim = (size_t)system->dim;
    int32_t *start = CST_TAKE_RAW(arena, int32_t, (size_t)islands + 1);
    int32_t *sorted = CST_TAKE_RAW(arena, int32_t, (size_t)system->contacts);
    int32_t *count_by_size = CST_TAKE_RAW(arena, int32_t, (size_t)system->contacts + 2);
    int32_t *turn = CST_TAKE_RAW(arena, int32_t, (size_t)islands);
    report->islands = islands;
    report->colours = system->colours;
    report->solver = options->solver;
    report->status = arena->failed ? CST_OUT_OF_MEMORY : CST_SOLVED;
    if (arena->failed)
        return;
    sort_by_island(island, system->contacts, islands, start, sorted);
    if (islands == 1) {
        const int before = report->iterations_total;
        report->status = solve_one(system, sorted, options, arena, x, report);
        report->iterations += report->iterations_total - before;
        return;
    }
    sort_by_size(start, islands, system->contacts, count_by_size, turn);
    int most = 0; /* iterations of one island */
    for (int t = 0; t < islands && report->status != CST_INTERRUPTED; t++) {
        const int k = turn[t], before = report->iterations_total;
        const cst_arena_mark mark = cst_arena_mark_now(arena);
        const int32_t *contact = sorted + start[k];
        const int count = start[k + 1] - start[k];
        cst_system sub;
        if (count == 1 && solve_alone(system, contact[0], options, x + (size_t)contact[0] * dim, report))
            continue;
        double *x_sub = cst_system_restrict_with(system, contact, count, x, arena, &sub);
        if (!x_sub) {
            report->status = CST_OUT_OF_MEMORY;
            return;
        }
        const cst_status status = solve_one(&sub, contact, options, arena, x_sub, report);
        report->status = cst_worse_status(report->status, status);
        if (status == CST_OUT_OF_MEMORY)
            return;
        most = report->iterations_total - before > most ? report->iterations_total - before : most;
        cst_system_scatter(system, contact, count, x_sub, x);
        cst_arena_release(arena, mark);
    }
    report->iterations += most;
}
