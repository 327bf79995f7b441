/* The forms of a body problem with several threads: the same bits as with one. */
#include "friction/assemble.h"
#include "friction/product.h"
#include "generate/family.h"
#include "sparse/coloring.h"
#include "sparse/coloring_incidence.h"
#include "tests/friction_fixture.h"

static cst_generated *make(void)
{
    cst_family_parameters parameters = cst_family_parameters_default();
    parameters.contacts = 2600; /* enough to be coloured */
    cst_generated *made = cst_family_find("strands")->make(3, &parameters, NULL);
    assert_non_null(made);
    assert_true(made->problem.contacts > 2000);
    return made;
}

static void test_solutions(void **state)
{
    (void)state;
    cst_generated *made = make();
    const size_t size = 3 * (size_t)made->problem.contacts, dofs = (size_t)made->dofs;
    for (cst_form form = CST_FORM_EXPLICIT; form <= CST_FORM_PRODUCT; form++) {
        double *r[3], *v[3];
        for (int run = 0; run < 3; run++) {
            cst_friction_options options = cst_friction_options_default();
            cst_friction_report report;
            options.form = form;
            options.threads = 1 << run;
            options.tolerance = 1e-3; /* bits show early whether they differ */
            r[run] = new_doubles(size);
            v[run] = new_doubles(dofs);
            cst_friction_solve_bodies(&made->problem, &options, r[run], NULL, v[run], &report);
            assert_int_equal(report.status, CST_SOLVED);
            assert_true(report.colours > 0);
        }
        for (int run = 1; run < 3; run++) {
            assert_true(same_bits(r[0], r[run], size));
            assert_true(same_bits(v[0], v[run], dofs));
        }
        for (int run = 0; run < 3; run++) {
            free(r[run]);
            free(v[run]);
        }
    }
    cst_generated_free(made);
}

static void test_assembly(void **state)
{
    (void)state;
    cst_generated *made = make();
    cst_arena arena;
    cst_bodies bodies;
    cst_friction_problem W[2];
    char message[256];
    cst_arena_begin(&arena, NULL);
    assert_int_equal(cst_bodies_factor(&made->problem, CST_BODIES_WITH_NODAL, 1, &arena, &bodies, message, sizeof message),
                     CST_SOLVED);
    for (int run = 0; run < 2; run++)
        assert_int_equal(cst_assemble(&bodies, 1 + 3 * run, &arena, W + run, message, sizeof message), CST_SOLVED);
    const size_t blocks = (size_t)W[0].row_start[W[0].contacts];
    assert_int_equal(blocks, W[1].row_start[W[1].contacts]);
    assert_memory_equal(W[0].column, W[1].column, blocks * sizeof *W[0].column);
    assert_true(same_bits(W[0].block, W[1].block, 9 * blocks));
    cst_arena_end(&arena);
    cst_generated_free(made);
}

/* y from scratch is summed in the order of the contacts, by one thread or colour by colour. */
static void test_states(void **state)
{
    (void)state;
    cst_generated *made = make();
    const cst_body_problem *problem = &made->problem;
    const int n = problem->contacts;
    cst_arena arena;
    cst_bodies bodies;
    char message[256];
    cst_arena_begin(&arena, NULL);
    int32_t *group = CST_TAKE(&arena, int32_t, 2 * n), *colour = CST_TAKE(&arena, int32_t, n),
            *order = CST_TAKE(&arena, int32_t, n);
    double *x = CST_TAKE(&arena, double, 3 * n), *y[3];
    for (int i = 0; i < n; i++) {
        group[2 * i] = problem->side_a[i].body;
        group[2 * i + 1] = problem->side_b[i].body;
    }
    for (int k = 0; k < 3 * n; k++)
        x[k] = sin(k);
    assert_int_equal(cst_bodies_factor(problem, CST_BODIES_WITH_NODAL, 1, &arena, &bodies, message, sizeof message), CST_SOLVED);
    const int colours = cst_colour_incidence(n, problem->bodies, group, &arena, colour);
    for (int run = 0; run < 3; run++) {
        cst_system system = {.threads = 1 << run, .colours = colours};
        assert_true(cst_coloring_sort(n, colour, colours, &arena, order, &system.colour_start));
        assert_int_equal(cst_product_pack(&bodies, order, 1, &arena, &system, NULL, message, sizeof message), CST_SOLVED);
        y[run] = CST_TAKE(&arena, double, 3 * n);
        cst_system_multiply(&system, x, y[run]);
        assert_true(run == 0 || same_bits(y[0], y[run], 3 * (size_t)n));
    }
    cst_arena_end(&arena);
    cst_generated_free(made);
}

/* A body of the generated problem that solves for itself. */
typedef struct solving {
    const cst_bodies *bodies;
    int body;
    int inside; /* how many threads are in its callback: one at most */
} solving;

static bool solve_alone(void *user, double *x)
{
    solving *link = user;
    if (link->inside++ != 0) /* a race here is what ThreadSanitizer looks for */
        return false;
    const bool solved = cst_bodies_solve(link->bodies, link->body, x);
    link->inside--;
    return solved;
}

/* Callbacks of different bodies are called from different threads, those of one body from one at a time; the judge has the same
 * bits, too. */
static void test_callbacks(void **state)
{
    (void)state;
    cst_generated *made = make();
    const cst_body_problem *given = &made->problem;
    const size_t size = 3 * (size_t)given->contacts;
    cst_arena arena;
    cst_bodies bodies;
    char message[256];
    cst_arena_begin(&arena, NULL);
    assert_int_equal(cst_bodies_factor(given, CST_BODIES_REDUCED, 2, &arena, &bodies, message, sizeof message), CST_SOLVED);
    cst_body *body = CST_TAKE(&arena, cst_body, given->bodies);
    solving *link = CST_TAKE(&arena, solving, given->bodies);
    double *share[3], *r[3];
    for (int at = 0; at < given->bodies; at++) {
        link[at] = (solving){.bodies = &bodies, .body = at};
        body[at] = (cst_body){.kind = CST_BODY_SOLVE,
                              .size = given->body[at].size,
                              .solve = solve_alone,
                              .user = link + at,
                              .rhs = given->body[at].rhs};
    }
    cst_body_problem problem = *given;
    problem.body = body;
    cst_residual residual[3];
    for (int run = 0; run < 3; run++) {
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        share[run] = CST_TAKE(&arena, double, given->contacts);
        r[run] = CST_TAKE(&arena, double, size);
        options.threads = 1 << run;
        options.tolerance = 1e-3;
        options.form = CST_FORM_PRODUCT;
        options.contact_error = share[run];
        assert_int_equal(cst_friction_solve_bodies(&problem, &options, r[run], NULL, NULL, &report), CST_SOLVED);
        residual[run] = report.residual;
    }
    for (int run = 1; run < 3; run++) {
        assert_true(same_bits(r[0], r[run], size));
        assert_true(same_bits(share[0], share[run], (size_t)given->contacts));
        assert_memory_equal(&residual[0], &residual[run], sizeof residual[0]);
    }
    cst_arena_end(&arena);
    cst_generated_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_assembly),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
