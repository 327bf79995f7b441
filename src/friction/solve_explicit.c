/* Public entry point for friction problems with a given Delassus matrix: checks, scales, colours and solves the problem, and
 * computes the residual. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "friction/dual.h"
#include "friction/first_guess.h"
#include "friction/islands.h"
#include "friction/options.h"
#include "friction/problem.h"
#include "friction/residual.h"
#include "friction/rows.h"
#include "friction/solve.h"
#include "sparse/coloring.h"

/* Finds the island of each contact: an island is a set of contacts that are connected by blocks of the Delassus matrix. Contact
 * i of the problem is contact place[i] of the scaled system. Returns the number of islands. */
static int find_islands(const cst_friction_problem *problem, const int32_t *place, cst_arena *arena, int32_t *island)
{
    const int n = problem->contacts;
    cst_islands islands;
    int32_t *number = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    if (arena->failed || !cst_islands_begin(&islands, n, arena))
        return 0;
    for (int32_t i = 0; i < n; i++)
        for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
            cst_islands_join(&islands, place[i], place[problem->column[e]]);
    return cst_islands_number(&islands, n, number, island);
}

typedef struct prepared {
    const cst_friction_problem *problem; /* the given problem, or its symmetrised copy */
    cst_friction_problem transpose, symmetric;
    cst_system system;
    int32_t *order, *place, *island; /* (n) */
    int islands;
    double V;
} prepared;

static bool prepare(prepared *p, const cst_friction_problem *problem, const cst_friction_options *options, cst_arena *arena,
                    cst_friction_report *report)
{
    const int n = problem->contacts;
    bool pattern_symmetric = true;
    double *scratch = CST_TAKE_RAW(arena, double, 2 * (size_t)n);
    if (arena->failed)
        return false;
    report->asymmetry = cst_problem_asymmetry(problem, options->threads, scratch, &pattern_symmetric);
    p->problem = problem;
    p->symmetric = *problem;
    if ((options->symmetrise && report->asymmetry > 0.0) || (!pattern_symmetric && n >= CST_COLOUR_FROM)) {
        /* the colouring of the contacts needs a symmetric sparsity pattern, even if the caller does not want a symmetrised
         * Delassus matrix */
        if (!cst_problem_transpose(problem, arena, &p->transpose) ||
            !cst_problem_symmetrise(problem, &p->transpose, arena, &p->symmetric))
            return false;
        if (options->symmetrise)
            p->problem = &p->symmetric;
    }
    p->order = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    p->place = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    p->island = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    if (arena->failed)
        return false;
    p->system = (cst_system){.threads = options->threads > 0 ? options->threads : 1};
    if (n >= CST_COLOUR_FROM) {
        p->system.colours =
            cst_coloring(n, p->symmetric.row_start, p->symmetric.column, arena, p->order, &p->system.colour_start);
        if (p->system.colours < 0)
            return false;
    } else {
        for (int32_t i = 0; i < n; i++)
            p->order[i] = i;
        p->system.colour_start = CST_TAKE(arena, int32_t, 1);
    }
    for (int32_t k = 0; k < n; k++)
        p->place[p->order[k]] = k;
    p->islands = find_islands(p->problem, p->place, arena, p->island);
    p->V = options->velocity_scale > 0.0 ? options->velocity_scale
                                         : cst_velocity_scale(problem->dim, n, problem->free_velocity, problem->law);
    return !arena->failed && cst_rows_pack(p->problem, p->order, p->V, arena, &p->system);
}

static void velocities(const cst_friction_problem *problem, const double *r, double *u)
{
    const int dim = problem->dim;
    for (int i = 0; i < problem->contacts; i++)
        for (int row = 0; row < dim; row++) {
            double sum = problem->free_velocity[i * dim + row];
            for (int64_t e = problem->row_start[i]; e < problem->row_start[i + 1]; e++)
                for (int k = 0; k < dim; k++)
                    sum += problem->block[(e * dim + row) * dim + k] * r[problem->column[e] * dim + k];
            u[i * dim + row] = sum;
        }
}

void cst_settle_status(const cst_friction_options *options, cst_friction_report *report)
{
    const double error = options->judge_by_fischer_burmeister ? report->residual.fischer_burmeister : report->residual.error;
    if (error <= options->tolerance)
        report->status = CST_SOLVED;
    else if (report->status == CST_SOLVED)
        report->status = CST_TOLERANCE_MISSED;
}

cst_status cst_worse_status(cst_status a, cst_status b)
{
    static const int RANK[] = {[CST_SOLVED] = 0,      [CST_TOLERANCE_MISSED] = 1, [CST_ILL_POSED] = 2,    [CST_NO_SOLUTION] = 3,
                               [CST_INTERRUPTED] = 4, [CST_BAD_PROBLEM] = 5,      [CST_OUT_OF_MEMORY] = 6};
    return RANK[a] >= RANK[b] ? a : b;
}

/* Solves a checked problem with at least one contact, and fills the report except its residual. The status in the report is the
 * result of the solver alone. If memory ran out, the impulses `r` are unchanged. If options->symmetrise is true and the Delassus
 * matrix is asymmetric, a copy of the problem with the symmetric part of the matrix is solved. *solved: output, the problem that
 * was solved, `problem` or the symmetrised copy in arena memory. */
static void run(const cst_friction_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                cst_friction_report *report, const cst_friction_problem **solved)
{
    const double start = cst_clock_seconds();
    prepared *p = CST_TAKE(arena, prepared, 1);
    double *x = CST_TAKE_RAW(arena, double, (size_t)problem->contacts *(size_t)problem->dim);
    report->form = CST_FORM_EXPLICIT;
    if (arena->failed || !prepare(p, problem, options, arena, report)) {
        report->status = CST_OUT_OF_MEMORY;
        return;
    }
    cst_system_scale(&p->system, p->order, p->V, r, x);
    cst_first_guess(&p->system, p->order, options, x);
    const double ready = cst_clock_seconds();
    report->setup_seconds += ready - start;
    cst_dual_solve(&p->system, p->island, p->islands, options, arena, x, report);
    report->seconds = cst_clock_seconds() - ready;
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = p->order[report->blamed[k]];
    if (report->status != CST_OUT_OF_MEMORY)
        cst_system_unscale(&p->system, p->order, p->V, x, r);
    *solved = p->problem;
}

bool cst_report_begin(const cst_friction_options *options, cst_friction_report *report)
{
    memset(report, 0, sizeof *report);
    report->residual.worst_contact = -1;
    const char *fault = cst_friction_options_fault(options);
    if (fault) {
        snprintf(report->message, sizeof report->message, "options: %s", fault);
        report->status = CST_BAD_PROBLEM;
        return false;
    }
    report->solver = options->solver;
    report->threads = options->threads > 0 ? options->threads : 1;
    return true;
}

bool cst_guess_check(int dim, int contacts, const double *r, cst_friction_report *report)
{
    for (size_t k = 0; k < (size_t)contacts * (size_t)dim; k++)
        if (!isfinite(r[k])) {
            snprintf(report->message, sizeof report->message, "the first guess of contact %zu is not finite", k / (size_t)dim);
            report->status = CST_BAD_PROBLEM;
            return false;
        }
    return true;
}

cst_status cst_friction_solve(const cst_friction_problem *problem, const cst_friction_options *options, double *r, double *u,
                              cst_friction_report *report)
{
    cst_arena arena;
    const cst_friction_problem *solved = problem;
    if (!cst_report_begin(options, report))
        return report->status;
    report->form = CST_FORM_EXPLICIT;
    if (!cst_problem_check(problem, report->message, sizeof report->message))
        return report->status = CST_BAD_PROBLEM;
    if (problem->contacts == 0 || !cst_guess_check(problem->dim, problem->contacts, r, report))
        return report->status;
    cst_arena_begin(&arena, &options->allocator);
    run(problem, options, &arena, r, report, &solved);
    report->memory_bytes = arena.peak;
    if (report->status != CST_OUT_OF_MEMORY) {
        cst_friction_residual(solved, r, options->velocity_scale, &report->residual);
        cst_settle_status(options, report);
        if (u)
            velocities(solved, r, u);
    }
    cst_arena_end(&arena);
    return report->status;
}
