/* Public entry point for friction problems given by bodies: checks the problem, splits it into islands, solves the islands, and
 * computes velocities and residual. Bodies that are connected by contacts form an island; the islands do not influence each
 * other.
 *
 * Each island has its own form of the Delassus matrix (assembled or not, cst_form), its own colouring of the contacts and its own
 * number of iterations. All islands use the velocity scale of the whole problem. Each small island is solved by one thread, while
 * other threads solve other small islands. After the small islands, the large islands are solved one after another, each by all
 * threads. The results do not depend on the number of threads. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/lock.h"
#include "base/shared_allocator.h"
#include "base/threads.h"
#include "friction/body_check.h"
#include "friction/body_islands.h"
#include "friction/body_residual.h"
#include "friction/dual.h"
#include "friction/nodes.h"
#include "friction/primal_gauss_seidel.h"
#include "friction/solve.h"
#include "friction/solve_island.h"

enum { PARALLEL_MIN = 512 }; /* contacts */

/* Results of one island, for the report of the whole problem. */
typedef struct summary {
    cst_status status;
    cst_solver solver;
    cst_form form;
    int iterations, iterations_total, newton_iterations, colours;
    int64_t local_solves, local_failures, fallbacks;
    double asymmetry, seconds, setup_seconds;
} summary;

typedef struct job {
    cst_friction_options options; /* options for one island */
    const cst_friction_options *asked;
    const cst_tie_loan *lent; /* earlier elimination of the bilateral constraints, or NULL */
    cst_body_islands split;
    cst_bodies sorted;
    summary *of; /* (islands) */
    /* array (contacts, sorted by island): true: the solver names the contact as a reason why it found no solution */
    bool *blamed;
    double *compliance; /* array (contacts, sorted by island) */
    /* array (islands): the islands in the order in which they are solved, first the small ones */
    int32_t *turn;
    int small;                /* number of small islands */
    cst_shared_memory shared; /* the caller's allocator */
    cst_lock lock;            /* protects callback and fields below */
    size_t memory;            /* bytes, arenas of the threads that solve small islands */
    int done;                 /* iterations of finished islands */
    int told;                 /* number of iterations last reported to the progress callback */
    bool stopped;             /* the progress callback returned false */
    /* first island with the worst status, whose message is kept; -1: none */
    int worst;
    char message[sizeof(((cst_friction_report *)0)->message)];
} job;

/* ----------------------------------------------------------------------------------------------- ---------- callback */

/* Calls the caller's progress callback from one thread at a time, with numbers of iterations that never decrease. */
static bool pass_on_progress(void *user, const cst_friction_progress *progress)
{
    job *j = user;
    cst_friction_progress told = *progress;
    cst_lock_take(&j->lock);
    told.iterations += j->done;
    j->told = told.iterations = told.iterations > j->told ? told.iterations : j->told;
    if (!j->stopped)
        j->stopped = !j->asked->progress(j->asked->progress_user, &told);
    const bool stopped = j->stopped;
    cst_lock_give(&j->lock);
    return !stopped;
}

/* --------------------------------------------------------------------------------------------------------------- one island */

/* Stores the results of an island. Marks the contacts that the solver names as a reason why the island has no solution. Keeps
 * the message of the island if the status of the island is the worst so far. */
static void keep(job *j, int island, const cst_friction_report *report)
{
    const int32_t first = j->split.contact_start[island];
    j->of[island] = (summary){.status = report->status,
                              .solver = report->solver,
                              .form = report->form,
                              .iterations = report->iterations,
                              .iterations_total = report->iterations_total > 0 ? report->iterations_total : report->iterations,
                              .newton_iterations = report->newton_iterations,
                              .colours = report->colours,
                              .local_solves = report->local_solves,
                              .local_failures = report->local_failures,
                              .fallbacks = report->fallbacks,
                              .asymmetry = report->asymmetry,
                              .seconds = report->seconds,
                              .setup_seconds = report->setup_seconds};
    for (int k = 0; k < report->blamed_count; k++)
        j->blamed[first + report->blamed[k]] = true;
    cst_lock_take(&j->lock);
    j->done += j->of[island].iterations_total;
    const cst_status now = report->status, before = j->worst < 0 ? CST_SOLVED : j->of[j->worst].status;
    const bool worse = now != before && cst_worse_status(now, before) == now;
    if (worse || (now == before && now != CST_SOLVED && island < j->worst)) {
        j->worst = island;
        memcpy(j->message, report->message, sizeof j->message);
    }
    cst_lock_give(&j->lock);
}

static void solve_island(job *j, int island, int threads, cst_arena *arena)
{
    const cst_body_islands *split = &j->split;
    const cst_body_problem problem = cst_body_islands_problem(split, island);
    cst_bodies bodies = cst_body_islands_bodies(split, &j->sorted, island, &problem);
    const int32_t first = split->contact_start[island];
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_friction_options options = j->options;
    cst_friction_report report = {.status = CST_OUT_OF_MEMORY};
    options.threads = threads;
    options.fresh = split->fresh ? split->fresh + first : NULL;
    bodies.threads = threads;
    cst_tie_loan lent;
    if (j->lent) {
        lent = *j->lent;
        lent.whole_body = split->body + split->body_start[island];
        lent.whole_contact = split->contact + first;
    }
    if (cst_bodies_list(&bodies, arena))
        cst_island_solve(&bodies, &options, j->lent ? &lent : NULL, arena, split->r + (int64_t)first * problem.dim,
                         split->v + split->offset[split->body_start[island]], j->compliance + first, &report);
    if (arena->failed)
        report.status = CST_OUT_OF_MEMORY;
    keep(j, island, &report);
    cst_arena_release(arena, mark);
}

/* ------------------------------------------------------------------------------------------------------------- all islands */

static bool is_nodal(const job *j, int island)
{
    const cst_body_problem problem = cst_body_islands_problem(&j->split, island);
    for (int k = 0; k < problem.bodies; k++)
        if (problem.body[k].kind == CST_BODY_NODAL)
            return true;
    return false;
}

/* Returns true if all threads should solve the island together. All threads solve an island together if it has more contacts than
 * the average number of contacts per thread. All threads also solve an island together if it has no cloth, and enough contacts
 * for sweeps that visit the contacts colour by colour in parallel. An island with cloth uses several threads mainly for
 * factorisations, so several islands with cloth are solved faster at the same time, each by one thread. */
static bool is_large(const job *j, int island, int threads)
{
    const int64_t contacts = j->split.contact_start[island + 1] - j->split.contact_start[island];
    return contacts * threads > j->split.whole->contacts || (contacts >= CST_COLOUR_FROM && !is_nodal(j, island));
}

/* Sorts the islands in the order in which they are solved: small islands with cloth, then the other small islands, then the large
 * islands. Islands of the same kind (small with cloth, other small, large) are sorted by their number of contacts. Without a
 * progress callback, islands with many contacts come first, so that no thread is left with a long task at the end. With a
 * progress callback, islands with few contacts come first, so that a request to stop is noticed soon. The cost of the sort is
 * linear in the numbers of islands, bodies and contacts. `count`: scratch, array (contacts + 2). */
static void sort_turns(job *j, int threads, int32_t *count)
{
    const cst_body_islands *split = &j->split;
    const int n = split->whole->contacts;
    const bool rising = j->asked->progress != NULL;
    int large = split->islands;
    j->small = 0;
    memset(count, 0, ((size_t)n + 2) * sizeof *count);
    for (int k = 0; k < split->islands; k++) {
        const int size = split->contact_start[k + 1] - split->contact_start[k];
        count[(rising ? size : n - size) + 1]++;
    }
    for (int size = 0; size <= n; size++)
        count[size + 1] += count[size];
    int32_t *by_size = j->turn + split->islands;
    for (int k = 0; k < split->islands; k++) {
        const int size = split->contact_start[k + 1] - split->contact_start[k];
        by_size[count[rising ? size : n - size]++] = k;
    }
    for (int t = split->islands - 1; t >= 0; t--)
        if (is_large(j, by_size[t], threads))
            j->turn[--large] = by_size[t];
    /* small islands with cloth come before all other islands, because even a few contacts on cloth can take long to solve */
    for (int nodal = 1; nodal >= 0; nodal--)
        for (int t = 0; t < split->islands; t++)
            if (!is_large(j, by_size[t], threads) && is_nodal(j, by_size[t]) == nodal)
                j->turn[j->small++] = by_size[t];
}

static void solve_small(job *j, int threads)
{
    const cst_allocator allocator = cst_shared_allocator(&j->shared, &j->asked->allocator);
    (void)threads; /* unused in a build without OpenMP */
#pragma omp parallel num_threads(threads) if (j->small > 1)
    {
        cst_arena arena;
        cst_arena_begin(&arena, &allocator);
#pragma omp for schedule(dynamic, 1)
        for (int t = 0; t < j->small; t++)
            solve_island(j, j->turn[t], 1, &arena);
        cst_lock_take(&j->lock);
        j->memory += arena.peak;
        cst_lock_give(&j->lock);
        cst_arena_end(&arena);
    }
}

/* Merges the reports of the islands. The status in the merged report is the most serious status of all islands
 * (cst_worse_status). For the form of the Delassus matrix, the solver and the number of colours, the merged report gives those of
 * the largest island. */
static void merge(const job *j, double seconds, cst_friction_report *report)
{
    const cst_body_islands *split = &j->split;
    double solving = 0.0, setting_up = 0.0;
    int largest = -1;
    for (int k = 0; k < split->islands; k++) {
        const summary *of = j->of + k;
        report->status = cst_worse_status(report->status, of->status);
        report->iterations = of->iterations > report->iterations ? of->iterations : report->iterations;
        report->iterations_total += of->iterations_total;
        report->newton_iterations += of->newton_iterations;
        report->local_solves += of->local_solves;
        report->local_failures += of->local_failures;
        report->fallbacks += of->fallbacks;
        report->asymmetry = of->asymmetry > report->asymmetry ? of->asymmetry : report->asymmetry;
        solving += of->seconds;
        setting_up += of->setup_seconds;
        const int contacts = split->contact_start[k + 1] - split->contact_start[k];
        if (largest < 0 || contacts > split->contact_start[largest + 1] - split->contact_start[largest])
            largest = k;
    }
    if (largest >= 0) {
        report->form = j->of[largest].form;
        report->solver = j->of[largest].solver;
        report->colours = j->of[largest].colours;
    }
    for (int k = 0; k < split->whole->contacts && report->blamed_count < CST_BLAMED_MAX; k++)
        if (j->blamed[k])
            report->blamed[report->blamed_count++] = split->contact[k];
    if (j->worst >= 0)
        memcpy(report->message, j->message, sizeof report->message);
    report->islands = split->touching;
    /* islands are solved in parallel, so the sum of the times of all islands can exceed the elapsed time. The report divides the
     * elapsed time into setup and solution, in the ratio of the sum of all setup times to the sum of all solution times. */
    const double share = solving + setting_up > 0.0 ? solving / (solving + setting_up) : 0.0;
    report->seconds = share * seconds;
    report->setup_seconds += (1.0 - share) * seconds;
}

/* Computes the velocity scale from the velocities that the bodies would have without impulses. */
static cst_status find_scale(const cst_bodies *bodies, cst_arena *arena, double *scale, cst_friction_report *report)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_nodes nodes;
    cst_status status = cst_nodes_build(bodies->problem, arena, &nodes, report->message, sizeof report->message);
    if (status == CST_SOLVED)
        status = cst_body_free_scale(bodies, &nodes, arena, scale, report->message, sizeof report->message);
    if (status != CST_OUT_OF_MEMORY)
        cst_arena_release(arena, mark);
    return status;
}

/* Sets the velocities of bodies outside all islands to their velocities without impulses. */
static void free_others(job *j)
{
    const int64_t from = j->split.offset[j->split.body_start[j->split.islands]];
    const int64_t to = j->split.offset[j->split.whole->bodies];
    if (to > from)
        memcpy(j->split.v + from, j->sorted.free_velocity + from, sizeof(double) * (size_t)(to - from));
}

static void solve_islands(const cst_body_problem *problem, const cst_friction_options *options, const cst_tie_loan *lent,
                          cst_arena *arena, double *r, double *v, cst_loan *loan, cst_friction_report *report)
{
    const cst_bodies_how how =
        options->form == CST_FORM_EXPLICIT || options->form == CST_FORM_PRODUCT ? CST_BODIES_WITH_NODAL : CST_BODIES_REDUCED;
    const double start = cst_clock_seconds();
    cst_bodies *bodies = &loan->bodies;
    job *j = CST_TAKE(arena, job, 1);
    report->status = CST_OUT_OF_MEMORY;
    if (!j || !cst_body_islands_begin(&j->split, problem, r, options->fresh, arena))
        return;
    j->of = CST_TAKE(arena, summary, (size_t)j->split.islands);
    j->blamed = CST_TAKE(arena, bool, (size_t)problem->contacts);
    j->compliance = CST_TAKE_RAW(arena, double, (size_t)problem->contacts);
    loan->w = CST_TAKE_RAW(arena, double, (size_t)problem->contacts);
    j->turn = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)j->split.islands);
    int32_t *count = CST_TAKE_RAW(arena, int32_t, (size_t)problem->contacts + 2);
    if (arena->failed)
        return;
    report->status = cst_bodies_factor(problem, how, report->threads, arena, bodies, report->message, sizeof report->message);
    j->asked = options;
    j->lent = lent;
    j->options = *options;
    j->options.contact_error = NULL;
    j->worst = -1;
    cst_lock_begin(&j->lock);
    if (options->progress) {
        j->options.progress = pass_on_progress;
        j->options.progress_user = j;
    }
    if (report->status == CST_SOLVED && !(options->velocity_scale > 0.0))
        report->status = find_scale(bodies, arena, &j->options.velocity_scale, report);
    if (!(options->velocity_scale > 0.0))
        j->options.velocity_scale = fmax(j->options.velocity_scale, options->velocity_floor);
    if (report->status == CST_SOLVED && !cst_body_islands_sort(&j->split, bodies, arena, &j->sorted))
        report->status = CST_OUT_OF_MEMORY;
    if (report->status != CST_SOLVED)
        return;
    const int threads = report->threads;
    sort_turns(j, threads, count);
    const double ready = cst_clock_seconds();
    report->setup_seconds = ready - start;
    solve_small(j, threads);
    for (int t = j->small; t < j->split.islands; t++)
        solve_island(j, j->turn[t], threads, arena);
    free_others(j);
    report->form = cst_island_form(problem, options->form, arena); /* used if there is no island */
    merge(j, cst_clock_seconds() - ready, report);
    report->memory_bytes = j->memory;
    cst_body_islands_unsort(&j->split, bodies->offset, r, v);
    for (int k = 0; k < problem->contacts; k++)
        loan->w[j->split.contact[k]] = j->compliance[k];
}

static void contact_velocities(const cst_body_problem *problem, int threads, const double *v, int64_t *offset, double *u)
{
    const int used = cst_threads_for(threads, problem->contacts, PARALLEL_MIN);
    (void)used; /* unused in a build without OpenMP */
    for (int k = 0; k < problem->bodies; k++)
        offset[k + 1] = offset[k] + problem->body[k].size;
#pragma omp parallel for schedule(static) num_threads(used)
    for (int i = 0; i < problem->contacts; i++)
        cst_contact_velocity(problem, offset, i, v, u + (size_t)i * (size_t)problem->dim);
}

cst_status cst_friction_solve_bodies(const cst_body_problem *problem, const cst_friction_options *options, double *r, double *u,
                                     double *v, cst_friction_report *report)
{
    return cst_solve_bodies_tied(problem, options, NULL, r, u, v, report);
}

cst_status cst_solve_bodies_tied(const cst_body_problem *problem, const cst_friction_options *options, const cst_tie_loan *lent,
                                 double *r, double *u, double *v, cst_friction_report *report)
{
    cst_arena arena;
    const double start = cst_clock_seconds();
    if (!cst_report_begin(options, report))
        return report->status;
    report->status = cst_body_problem_check(problem, options->threads, report->message, sizeof report->message);
    const size_t size = (size_t)problem->contacts * (size_t)problem->dim;
    if (report->status != CST_SOLVED || !cst_guess_check(problem->dim, problem->contacts, r, report))
        return report->status;
    if (options->watch)
        options->watch(options->watch_user, problem, r);
    cst_arena_begin(&arena, &options->allocator);
    size_t dofs = 0;
    for (int k = 0; k < problem->bodies; k++)
        dofs += (size_t)problem->body[k].size;
    double *velocity = CST_TAKE(&arena, double, dofs);
    double *impulse = CST_TAKE_RAW(&arena, double, size);
    int64_t *offset = CST_TAKE(&arena, int64_t, (size_t)problem->bodies + 1);
    if (arena.failed) {
        cst_arena_end(&arena);
        return report->status = CST_OUT_OF_MEMORY;
    }
    memcpy(impulse, r, size * sizeof(double));
    cst_loan loan = {0};
    /* the primal solver, for comparisons, needs nodal bodies and does not split the problem into islands */
    if (options->form == CST_FORM_PRIMAL) {
        report->form = CST_FORM_PRIMAL;
        cst_bodies_solve_primal(problem, options, &arena, impulse, velocity, report);
        report->iterations_total = report->iterations;
    } else {
        solve_islands(problem, options, lent, &arena, impulse, velocity, &loan, report);
    }
    report->memory_bytes += arena.peak;
    const double solved = cst_clock_seconds();
    if (report->status != CST_OUT_OF_MEMORY && report->status != CST_BAD_PROBLEM) {
        const cst_status judged = cst_body_judge_once(problem, &loan, report->threads, options->velocity_scale,
                                                      options->velocity_floor, &arena, velocity, impulse, &report->residual,
                                                      options->contact_error, report->message, sizeof report->message);
        report->status = judged == CST_SOLVED ? report->status : judged;
    }
    report->judge_seconds = cst_clock_seconds() - solved;
    if (report->status != CST_OUT_OF_MEMORY && report->status != CST_BAD_PROBLEM) {
        cst_settle_status(options, report);
        memcpy(r, impulse, size * sizeof(double));
        if (v)
            memcpy(v, velocity, dofs * sizeof(double));
        if (u)
            contact_velocities(problem, report->threads, velocity, offset, u);
    }
    cst_arena_end(&arena);
    report->total_seconds = cst_clock_seconds() - start;
    return report->status;
}
