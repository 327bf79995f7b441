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
#include "friction/rows.h"
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

/* Sorts the contacts by colour, or keeps their order if there are few contacts. `assembly`: NULL in the product form. */
static bool order_contacts(const cst_body_problem *problem, const cst_assembly *assembly, cst_arena *arena, cst_system *system,
                           int32_t *order)
{
    const int n = problem->contacts;
    int32_t *group = CST_TAKE_RAW(arena, int32_t, 2 * (size_t)n);
    int32_t *colour = CST_TAKE(arena, int32_t, (size_t)n);
    if (arena->failed)
        return false;
    if (n < CST_COLOUR_FROM) /* one colour: natural order */
        return cst_coloring_sort(n, colour, 1, arena, order, &system->colour_start);
    if (assembly) {
        system->colours = cst_coloring(n, assembly->start, assembly->column, arena, order, &system->colour_start);
        return system->colours >= 0;
    }
    for (int i = 0; i < n; i++) {
        group[2 * i] = problem->side_a[i].body;
        group[2 * i + 1] = problem->side_b[i].body;
    }
    system->colours = cst_colour_incidence(n, problem->bodies, group, arena, colour);
    return system->colours >= 0 && cst_coloring_sort(n, colour, system->colours, arena, order, &system->colour_start);
}

/* Friction problem of an island as a system for the solvers whose unknowns are the impulses. */
typedef struct island {
    const cst_bodies *bodies;
    cst_system system;
    double V;        /* velocity scale */
    int32_t *order;  /* array (contacts): contact of the problem of each contact of the system */
    int32_t *number; /* array (contacts): 0, because all contacts are in one island */
    int32_t *place;  /* explicit form only, array (contacts): contact of the system of each contact of the problem */
    double *x;       /* array (contacts x dim): scaled impulses */
    /* explicit form only, array (contacts): square roots of the compliances by which the contacts of the problem are scaled */
    double *root;
    cst_arena *arena;
} island;

/* Prepares the system in the explicit or the product form. Sets the status in the report, which is CST_SOLVED if the system can
 * be solved. */
static void prepare(island *of, const cst_friction_options *options, double *compliance, cst_friction_report *report)
{
    const cst_body_problem *problem = of->bodies->problem;
    const size_t n = (size_t)problem->contacts;
    cst_assembly assembly;
    of->order = CST_TAKE_RAW(of->arena, int32_t, n);
    of->number = CST_TAKE(of->arena, int32_t, n);
    of->x = CST_TAKE_RAW(of->arena, double, n *(size_t)problem->dim);
    of->place = CST_TAKE_RAW(of->arena, int32_t, n);
    of->root = CST_TAKE_RAW(of->arena, double, n);
    of->system = (cst_system){.threads = report->threads};
    of->V = options->velocity_scale > 0.0
                ? options->velocity_scale
                : cst_body_velocity_scale(problem, of->bodies->offset, report->threads, of->bodies->free_velocity);
    report->status = CST_OUT_OF_MEMORY;
    if (of->arena->failed)
        return;
    if (report->form == CST_FORM_PRODUCT) {
        if (order_contacts(problem, NULL, of->arena, &of->system, of->order))
            report->status = cst_product_pack(of->bodies, of->order, of->V, of->arena, &of->system, compliance, report->message,
                                              sizeof report->message);
        return;
    }
    report->status = cst_assembly_begin(of->bodies, report->threads, of->arena, &assembly, compliance, report->message,
                                        sizeof report->message);
    if (report->status == CST_SOLVED && (!order_contacts(problem, &assembly, of->arena, &of->system, of->order) ||
                                         !cst_rows_assemble(&assembly, of->order, of->V, of->arena, &of->system, of->root)))
        report->status = CST_OUT_OF_MEMORY;
    for (int32_t k = 0; report->status == CST_SOLVED && k < problem->contacts; k++)
        of->place[of->order[k]] = k;
}

/* Solves the prepared system, and writes the impulses of the problem to `r`. */
static void solve(island *of, const cst_friction_options *options, double *r, cst_friction_report *report)
{
    const double ready = cst_clock_seconds(), before = report->seconds;
    cst_dual_solve(&of->system, of->number, 1, options, of->arena, of->x, report);
    report->seconds = before + (cst_clock_seconds() - ready);
    for (int k = 0; k < report->blamed_count; k++)
        report->blamed[k] = of->order[report->blamed[k]];
    if (report->status != CST_OUT_OF_MEMORY)
        cst_system_unscale(&of->system, of->order, of->V, of->x, r);
}

/* Corrects the free velocities b of the system so that rounding errors of the assembled Delassus matrix do not change the contact
 * velocities. The scaled velocity A x + b of a contact differs by rounding from its velocity computed from the bodies. The
 * velocity scale of the residual may be only 1e-6 of the velocities of the bodies, so the rounding error may exceed a tight
 * tolerance. For each contact, the function computes the velocity from the bodies, subtracts that of the system, and adds this
 * difference to the free velocity. *largest: output, the largest change of a component of the unscaled free velocities. `y`
 * (contacts x dim): work memory. Returns false if a callback failed. */
static bool correct_free_velocity(island *of, const double *r, double *v, double *y, double *largest)
{
    cst_system *system = &of->system;
    const int dim = system->dim, threads = cst_threads_for(system->threads, system->contacts, PARALLEL_MIN);
    double most = 0.0;
    (void)threads; /* unused in a build without OpenMP */
    if (!cst_bodies_velocities(of->bodies, r, v))
        return false;
    cst_system_multiply(system, of->x, y);
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : most)
    for (int i = 0; i < system->contacts; i++) { /* in the order in which the Jacobians are stored */
        const double root = of->root[i];
        const int32_t k = of->place[i];
        double u[3] = {0.0, 0.0, 0.0};
        cst_contact_velocity(of->bodies->problem, of->bodies->offset, i, v, u);
        for (int c = 0; c < dim; c++) {
            const double off = u[c] - y[k * dim + c] * root;
            system->b[k * dim + c] += off / root;
            most = fabs(off) > most ? fabs(off) : most;
        }
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

/* Solves the island with an assembled Delassus matrix. Returns true if the function has computed the velocities `v` of the bodies
 * from the impulses r; if not, the caller must compute them. */
static bool solve_by_explicit(island *of, const cst_friction_options *options, double *r, double *v, cst_friction_report *report)
{
    double *y = CST_TAKE_RAW(of->arena, double, (size_t)of->system.contacts *(size_t)of->system.dim);
    cst_friction_options inner = *options;
    if (!y) {
        report->status = CST_OUT_OF_MEMORY;
        return false;
    }
    inner.tolerance *= AIM;
    for (int correction = 0; correction <= CORRECTIONS_MAX; correction++) {
        double off = 0.0;
        const cst_arena_mark mark = cst_arena_mark_now(of->arena);
        solve(of, &inner, r, report);
        if (report->status != CST_SOLVED)
            return false;
        cst_arena_release(of->arena, mark);
        if (!correct_free_velocity(of, r, v, y, &off))
            return false;
        if (off <= ROUNDING_SHARE * options->tolerance * of->V)
            break;
    }
    return true;
}

static void solve_dual_forms(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, double *compliance, cst_friction_report *report)
{
    bool moved = false;
    if (bodies->problem->contacts > 0) {
        const double start = cst_clock_seconds();
        island of = {.bodies = bodies, .arena = arena};
        prepare(&of, options, compliance, report);
        if (report->status == CST_SOLVED) {
            cst_system_scale(&of.system, of.order, of.V, r, of.x);
            cst_first_guess(&of.system, of.order, options, of.x);
            report->setup_seconds += cst_clock_seconds() - start;
            if (report->form == CST_FORM_PRODUCT)
                solve(&of, options, r, report);
            else
                moved = solve_by_explicit(&of, options, r, v, report);
        }
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
