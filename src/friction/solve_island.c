/* With CST_FORM_AUTO, an island of contacts (contacts that share bodies) without cloth is solved in the explicit or in the
 * product form, whichever has the smaller memory traffic per sweep. Memory traffic determines the cost of a sweep. A Delassus
 * matrix above EXPLICIT_BYTES_MAX is not assembled. Exception: an island whose bilateral constraints are eliminated
 * (solve_tied.h) is always solved in the product form. In the explicit form, the Delassus matrix is assembled. A sweep in the
 * explicit form is estimated to read 8 dim^2 bytes per block; c contacts on one body give c^2 blocks. The product form applies
 * the Delassus matrix through the bodies. A sweep in the product form is estimated to move 2 x 8 dim bytes for each contact and
 * each dof of its bodies. */
#include "friction/solve_island.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "friction/assemble.h"
#include "friction/body_residual.h"
#include "friction/dual.h"
#include "friction/first_guess.h"
#include "friction/mixed_sweep.h"
#include "friction/product.h"
#include "friction/solve.h"
#include "friction/solve_tied.h"
#include "sparse/coloring.h"
#include "sparse/coloring_incidence.h"

enum { PARALLEL_MIN = 512 }; /* contacts */

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

/* EXPLICIT_BYTES_MAX: size of the Delassus matrix (bytes) beyond which CST_FORM_AUTO does not assemble the matrix. */
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

cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena)
{
    if (asked != CST_FORM_AUTO)
        return asked;
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

/* Corrects the free velocities w so that rounding errors of the assembled Delassus matrix W do not change the contact velocities.
 * The velocity W r + w of a contact with the impulses r differs by rounding from its velocity computed from the bodies. The
 * velocity scale of the residual may be only 1e-6 of the velocities of the bodies, so the rounding error may exceed a tight
 * tolerance. For each contact, the function computes the velocity from the bodies, subtracts W r + w, and adds this difference to
 * the free velocity w. *largest: output, the largest change of a component of the free velocities w. Returns false if a callback
 * failed. */
static bool correct_free_velocity(const cst_bodies *bodies, const cst_friction_problem *assembled, const double *r, double *v,
                                  double *free_velocity, double *largest)
{
    const int dim = assembled->dim, threads = cst_threads_for(bodies->threads, assembled->contacts, PARALLEL_MIN);
    double most = 0.0;
    (void)threads; /* unused in a build without OpenMP */
    if (!cst_bodies_velocities(bodies, r, v))
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : most)
    for (int i = 0; i < assembled->contacts; i++) {
        double off[3] = {0.0, 0.0, 0.0};
        cst_contact_velocity(bodies->problem, bodies->offset, i, v, off);
        for (int row = 0; row < dim; row++) {
            double model = free_velocity[i * dim + row];
            for (int64_t e = assembled->row_start[i]; e < assembled->row_start[i + 1]; e++)
                for (int c = 0; c < dim; c++)
                    model += assembled->block[(e * dim + row) * dim + c] * r[assembled->column[e] * dim + c];
            off[row] -= model;
            most = fmax(most, fabs(off[row]));
        }
        for (int row = 0; row < dim; row++)
            free_velocity[i * dim + row] += off[row];
    }
    *largest = most;
    return true;
}

/* ROUNDING_SHARE: largest accepted rounding error of a contact velocity, divided by the product of tolerance and velocity scale.
 * If the rounding error of a contact velocity exceeds the limit given by ROUNDING_SHARE, the island is solved again with
 * corrected free velocities, at most CORRECTIONS_MAX times. AIM: the solver gets AIM times the tolerance, so that the final
 * residual meets the tolerance in spite of rounding errors. */
static const double ROUNDING_SHARE = 0.02;
static const double AIM = 0.95;
enum { CORRECTIONS_MAX = 3 };

/* Returns true if the function has computed the velocities `v` of the bodies from the impulses r; if not, the caller must compute
 * them. */
static bool solve_by_explicit(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                              double *v, double *compliance, cst_friction_report *report)
{
    cst_friction_problem assembled;
    const cst_friction_problem *solved;
    report->status =
        cst_assemble(bodies, report->threads, arena, &assembled, compliance, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return false;
    const size_t size = (size_t)assembled.contacts * (size_t)assembled.dim;
    const double V = options->velocity_scale > 0.0
                         ? options->velocity_scale
                         : cst_body_velocity_scale(bodies->problem, bodies->offset, report->threads, bodies->free_velocity);
    double *w = CST_TAKE_RAW(arena, double, size);
    report->status = CST_OUT_OF_MEMORY;
    if (arena->failed)
        return false;
    memcpy(w, assembled.free_velocity, size * sizeof(double));
    assembled.free_velocity = w;
    cst_friction_options inner = *options;
    inner.velocity_scale = V;
    inner.tolerance *= AIM;
    for (int correction = 0; correction <= CORRECTIONS_MAX; correction++) {
        const double before = report->seconds;
        const cst_arena_mark mark = cst_arena_mark_now(arena);
        double off = 0.0;
        cst_explicit_run(&assembled, true, &inner, arena, r, report, &solved);
        report->seconds += before;
        cst_arena_release(arena, mark);
        if (report->status != CST_SOLVED || !correct_free_velocity(bodies, &assembled, r, v, w, &off))
            return false;
        if (off <= ROUNDING_SHARE * options->tolerance * V)
            break;
        inner.fresh = NULL;
    }
    return true;
}

/* Sorts the contacts by colour. With fewer than CST_COLOUR_FROM contacts, keeps their order, without colours. */
static bool order_contacts(const cst_body_problem *problem, cst_arena *arena, cst_system *system, int32_t *order)
{
    const int n = problem->contacts;
    int32_t *group = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)n);
    int32_t *colour = CST_TAKE(arena, int32_t, (size_t)n);
    if (arena->failed)
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
    return true;
}

static void solve_by_product(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *compliance, cst_friction_report *report)
{
    const cst_body_problem *problem = bodies->problem;
    const int n = problem->contacts, dim = problem->dim;
    const size_t size = (size_t)n * (size_t)dim;
    const double start = cst_clock_seconds();
    int32_t *order = CST_TAKE_RAW(arena, int32_t, (size_t)n);
    /* all contacts: island 0 */
    int32_t *island = CST_TAKE(arena, int32_t, (size_t)n);
    double *x = CST_TAKE_RAW(arena, double, size);
    cst_system system = {.threads = report->threads};
    report->status = CST_OUT_OF_MEMORY;
    if (arena->failed || !order_contacts(problem, arena, &system, order))
        return;
    const double V = options->velocity_scale > 0.0
                         ? options->velocity_scale
                         : cst_body_velocity_scale(problem, bodies->offset, report->threads, bodies->free_velocity);
    report->status = cst_product_pack(bodies, order, V, arena, &system, compliance, report->message, sizeof report->message);
    if (report->status != CST_SOLVED)
        return;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < dim; c++)
            x[k * dim + c] = r[order[k] * dim + c] * (system.weight[k] * V);
    cst_first_guess(&system, order, options, x);
    const double ready = cst_clock_seconds();
    report->setup_seconds += ready - start;
    cst_dual_solve(&system, island, 1, options, arena, x, report);
    report->seconds = cst_clock_seconds() - ready;
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = order[report->blamed[k]];
    if (report->status == CST_OUT_OF_MEMORY)
        return;
    for (int k = 0; k < n; k++)
        for (int c = 0; c < dim; c++)
            r[order[k] * dim + c] = x[k * dim + c] / (system.weight[k] * V);
}

static void solve_dual_forms(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, double *compliance, cst_friction_report *report)
{
    bool moved = false;
    if (bodies->problem->contacts > 0) {
        if (report->form == CST_FORM_PRODUCT)
            solve_by_product(bodies, options, arena, r, compliance, report);
        else
            moved = solve_by_explicit(bodies, options, arena, r, v, compliance, report);
    }
    if (moved || report->status == CST_OUT_OF_MEMORY || report->status == CST_BAD_PROBLEM)
        return;
    if (!cst_bodies_velocities(bodies, r, v)) {
        strcpy(report->message, "a body's solve callback failed");
        report->status = CST_BAD_PROBLEM;
    }
}

void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report)
{
    for (int i = 0; i < bodies->problem->contacts; i++)
        compliance[i] = NAN;
    if (!cst_report_begin(options, report))
        return;
    report->form = cst_island_form(bodies->problem, options->form, arena);
    if (options->form == CST_FORM_AUTO && report->form != CST_FORM_MIXED &&
        cst_island_solve_tied(bodies, options, lent, arena, r, v, compliance, report))
        return;
    report->form = cst_island_form(bodies->problem, options->form, arena);
    if (report->form == CST_FORM_MIXED)
        cst_bodies_solve_mixed(bodies, options, arena, r, v, compliance, report);
    else
        solve_dual_forms(bodies, options, arena, r, v, compliance, report);
}
