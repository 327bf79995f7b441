/* Public entry for bodies: check, choose the form, solve, velocities, judge.
 *
 * The form is chosen by bytes moved in a sweep, which is what sweeps cost: explicit W moves 8 dim^2 bytes per block, and a body
 * with c contacts makes c^2 blocks; the product form moves 8 dim bytes per dof and contact of a body, twice (read, update). */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "friction/assemble.h"
#include "friction/body_check.h"
#include "friction/body_residual.h"
#include "friction/dual.h"
#include "friction/first_guess.h"
#include "friction/islands.h"
#include "friction/mixed_sweep.h"
#include "friction/primal_gauss_seidel.h"
#include "friction/product.h"
#include "friction/solve.h"
#include "sparse/coloring.h"
#include "sparse/coloring_incidence.h"

static bool has_nodal_body(const cst_body_problem *problem)
{
    for (int k = 0; k < problem->bodies; k++)
        if (problem->body[k].kind == CST_BODY_NODAL)
            return true;
    return false;
}

static void count_contacts(const cst_body_problem *problem, int64_t *contacts)
{
    for (int i = 0; i < problem->contacts; i++) {
        const int32_t a = problem->side_a[i].body, b = problem->side_b[i].body;
        if (a >= 0)
            contacts[a]++;
        if (b >= 0 && b != a)
            contacts[b]++;
    }
}

/* Memory for the explicit W beyond which it is not formed. */
static const double EXPLICIT_BYTES_MAX = 4e9;

static cst_form cheaper_form(const cst_body_problem *problem, const int64_t *contacts)
{
    double explicit_bytes = 0.0, product_bytes = 0.0;
    for (int k = 0; k < problem->bodies; k++) {
        const double c = (double)contacts[k];
        explicit_bytes += 8.0 * problem->dim * problem->dim * c * c;
        product_bytes += 2.0 * 8.0 * problem->dim * c * problem->body[k].size;
    }
    return explicit_bytes <= product_bytes && explicit_bytes <= EXPLICIT_BYTES_MAX ? CST_FORM_EXPLICIT : CST_FORM_PRODUCT;
}

static cst_form choose_form(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena)
{
    if (options->form != CST_FORM_AUTO)
        return options->form;
    if (has_nodal_body(problem))
        return CST_FORM_MIXED;
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    int64_t *contacts = CST_TAKE(arena, int64_t, (size_t)problem->bodies);
    if (arena->failed)
        return CST_FORM_PRODUCT;
    count_contacts(problem, contacts);
    const cst_form form = cheaper_form(problem, contacts);
    cst_arena_release(arena, mark);
    return form;
}

/* W is assembled from products, so W r + w differs by rounding from the velocities u = H v + u_f that the bodies take, and V may be
 * as small as 1e-6 of them: at fine tolerances that difference alone would be a miss. Puts it into w, which makes the answer of
 * the next solve the bodies' own. *largest: max |u - (W r + w)|. False: a callback failed. */
static bool correct_free_velocity(const cst_bodies *bodies, const cst_friction_problem *assembled, const double *r, double *v,
                                  double *free_velocity, double *largest)
{
    const int dim = assembled->dim;
    *largest = 0.0;
    if (!cst_bodies_velocities(bodies, r, v))
        return false;
    for (int i = 0; i < assembled->contacts; i++) {
        double off[3] = {0.0, 0.0, 0.0};
        cst_contact_velocity(bodies->problem, bodies->offset, i, v, off);
        for (int row = 0; row < dim; row++) {
            double model = free_velocity[i * dim + row];
            for (int64_t e = assembled->row_start[i]; e < assembled->row_start[i + 1]; e++)
                for (int c = 0; c < dim; c++)
                    model += assembled->block[(e * dim + row) * dim + c] * r[assembled->column[e] * dim + c];
            off[row] -= model;
            *largest = fmax(*largest, fabs(off[row]));
        }
        for (int row = 0; row < dim; row++)
            free_velocity[i * dim + row] += off[row];
    }
    return true;
}

/* A correction that is smaller than this share of the tolerance changes nothing. */
static const double ROUNDING_SHARE = 0.02;
static const double AIM = 0.95;
enum { CORRECTIONS_MAX = 3 };

static void solve_by_explicit(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                              cst_friction_report *report)
{
    cst_friction_problem assembled;
    const cst_friction_problem *solved;
    report->status = cst_assemble(bodies, report->threads, arena, &assembled, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return;
    const size_t size = (size_t)assembled.contacts * (size_t)assembled.dim;
    const double V = options->velocity_scale > 0.0
                         ? options->velocity_scale
                         : cst_body_velocity_scale(bodies->problem, bodies->offset, bodies->free_velocity);
    double *v = CST_TAKE_RAW(arena, double, (size_t)bodies->offset[bodies->problem->bodies]);
    double *w = CST_TAKE_RAW(arena, double, size);
    report->status = CST_OUT_OF_MEMORY;
    if (arena->failed)
        return;
    memcpy(w, assembled.free_velocity, size * sizeof(double));
    assembled.free_velocity = w;
    cst_friction_options inner = *options;
    inner.velocity_scale = V;
    inner.tolerance *= AIM; /* judged by others, with other rounding */
    for (int correction = 0; correction <= CORRECTIONS_MAX; correction++) {
        const double before = report->seconds;
        const cst_arena_mark mark = cst_arena_mark_now(arena);
        double off = 0.0;
        cst_explicit_run(&assembled, &inner, arena, r, report, &solved);
        report->seconds += before;
        cst_arena_release(arena, mark);
        if (report->status != CST_SOLVED || !correct_free_velocity(bodies, &assembled, r, v, w, &off) ||
            off <= ROUNDING_SHARE * options->tolerance * V)
            return;
        inner.fresh = NULL;
    }
}

/* Contacts in colour order, and islands through shared bodies. */
static bool order_contacts(const cst_body_problem *problem, cst_arena *arena, cst_system *system, int32_t *order, int32_t *island,
                           int *islands)
{
    const int n = problem->contacts;
    int32_t *group = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)n);
    int32_t *colour = CST_TAKE(arena, int32_t, (size_t)n);
    int32_t *number = CST_TAKE_RAW(arena, int32_t, (size_t)n + (size_t)problem->bodies);
    cst_islands joined;
    if (arena->failed || !cst_islands_begin(&joined, n + problem->bodies, arena))
        return false;
    for (int i = 0; i < n; i++) {
        group[2 * i] = problem->side_a[i].body;
        group[2 * i + 1] = problem->side_b[i].body;
    }
    int colours = 1; /* one colour: natural order */
    if (n >= CST_COLOUR_FROM)
        colours = cst_colour_incidence(n, problem->bodies, group, arena, colour);
    if (colours < 0 || !cst_coloring_sort(n, colour, colours, arena, order, &system->colour_start))
        return false;
    system->colours = n >= CST_COLOUR_FROM ? colours : 0;
    for (int k = 0; k < n; k++)
        for (int side = 0; side < 2; side++)
            if (group[2 * order[k] + side] >= 0)
                cst_islands_join(&joined, k, n + group[2 * order[k] + side]);
    *islands = cst_islands_number(&joined, n, number, island);
    return true;
}

static void solve_by_product(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                             cst_friction_report *report)
{
    const cst_body_problem *problem = bodies->problem;
    const int n = problem->contacts, dim = problem->dim;
    const size_t size = (size_t)n * (size_t)dim;
    const double start = cst_clock_seconds();
    int32_t *order = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    int32_t *island = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    double *x = CST_TAKE_RAW(arena, double, size);
    cst_system system = {.threads = report->threads};
    int islands = 0;
    report->status = CST_OUT_OF_MEMORY;
    if (arena->failed || !order_contacts(problem, arena, &system, order, island, &islands))
        return;
    cst_product_free_velocity(bodies, x);
    const double V = options->velocity_scale > 0.0 ? options->velocity_scale
                                                   : cst_body_velocity_scale(problem, bodies->offset, bodies->free_velocity);
    report->status = cst_product_pack(bodies, order, V, arena, &system, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < dim; c++)
            x[k * dim + c] = r[order[k] * dim + c] * (system.weight[k] * V);
    cst_first_guess(&system, order, options->fresh, x);
    const double ready = cst_clock_seconds();
    report->setup_seconds += ready - start;
    cst_dual_solve(&system, island, islands, options, arena, x, report);
    report->seconds = cst_clock_seconds() - ready;
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = order[report->blamed[k]];
    if (report->status == CST_OUT_OF_MEMORY)
        return;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < dim; c++)
            r[order[k] * dim + c] = x[k * dim + c] / (system.weight[k] * V);
}

/* Explicit or product: A is factored. v is made from r at the end. */
static void solve_dual_forms(const cst_body_problem *problem, const cst_friction_options *options, cst_form form,
                             cst_arena *arena, double *r, double *v, cst_friction_report *report)
{
    cst_bodies bodies;
    const double start = cst_clock_seconds();
    report->status = cst_bodies_factor(problem, true, arena, &bodies, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return;
    report->setup_seconds = cst_clock_seconds() - start;
    if (problem->contacts > 0) {
        if (form == CST_FORM_PRODUCT)
            solve_by_product(&bodies, options, arena, r, report);
        else
            solve_by_explicit(&bodies, options, arena, r, report);
    }
    if (report->status == CST_OUT_OF_MEMORY || report->status == CST_BAD_PROBLEM)
        return;
    if (!cst_bodies_velocities(&bodies, r, v)) {
        strcpy(report->message, "a body's solve callback failed");
        report->status = CST_BAD_PROBLEM;
    }
}

static void contact_velocities(const cst_body_problem *problem, const double *v, int64_t *offset, double *u)
{
    for (int k = 0; k < problem->bodies; k++)
        offset[k + 1] = offset[k] + problem->body[k].size;
    for (int i = 0; i < problem->contacts; i++)
        cst_contact_velocity(problem, offset, i, v, u + (size_t)i * (size_t)problem->dim);
}

cst_status cst_friction_solve_bodies(const cst_body_problem *problem, const cst_friction_options *options, double *r, double *u,
                                     double *v, cst_friction_report *report)
{
    cst_arena arena;
    cst_report_begin(options, report);
    report->status = cst_body_problem_check(problem, report->message, sizeof report->message);
    const size_t size = (size_t)problem->contacts * (size_t)problem->dim;
    if (report->status != CST_SOLVED || !cst_guess_check(problem->dim, problem->contacts, r, report))
        return report->status;
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
    report->form = choose_form(problem, options, &arena);
    if (report->form == CST_FORM_PRIMAL)
        cst_bodies_solve_primal(problem, options, &arena, impulse, velocity, report);
    else if (report->form == CST_FORM_MIXED)
        cst_bodies_solve_mixed(problem, options, &arena, impulse, velocity, report);
    else
        solve_dual_forms(problem, options, report->form, &arena, impulse, velocity, report);
    report->memory_bytes = arena.peak;
    if (report->status != CST_OUT_OF_MEMORY && report->status != CST_BAD_PROBLEM &&
        !cst_body_residual_shares(problem, velocity, impulse, options->velocity_scale, &options->allocator, &report->residual,
                                  options->contact_error))
        report->status = CST_OUT_OF_MEMORY;
    if (report->status != CST_OUT_OF_MEMORY && report->status != CST_BAD_PROBLEM) {
        cst_settle_status(options, report);
        memcpy(r, impulse, size * sizeof(double));
        if (v)
            memcpy(v, velocity, dofs * sizeof(double));
        if (u)
            contact_velocities(problem, velocity, offset, u);
    }
    cst_arena_end(&arena);
    return report->status;
}
