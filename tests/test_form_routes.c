/* Four routes to one answer: explicit, product, primal and mixed, where they apply, on bodies of every kind. */
#include "tests/body_problems.h"
#include "tests/friction_fixture.h"

static const double TOLERANCE = 1e-12; /* velocities follow to 1e-9 even where a problem is badly conditioned */

typedef struct answer {
    cst_friction_report report;
    double *r, *u, *v;
} answer;

static cst_friction_options options_of(cst_form form)
{
    cst_friction_options options = cst_friction_options_default();
    options.form = form;
    options.tolerance = TOLERANCE;
    options.max_iterations = 20000;
    return options;
}

static answer solve_form(const test_bodies *made, const cst_friction_options *options)
{
    const size_t size = (size_t)made->problem.dim * (size_t)made->problem.contacts;
    answer out = {.r = new_doubles(size), .u = new_doubles(size), .v = new_doubles((size_t)made->dofs)};
    cst_friction_solve_bodies(&made->problem, options, out.r, out.u, out.v, &out.report);
    return out;
}

static void answer_free(answer *out)
{
    free(out->r);
    free(out->u);
    free(out->v);
}

static double farthest(const double *a, const double *b, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* Judged with W by dense elimination and formulas of the tests' own; and u, v are what r makes. */
static void check_answer(const test_bodies *made, const answer *out, const char *name)
{
    const int n = made->problem.contacts, dim = made->problem.dim, m = n * dim, dofs = made->dofs;
    if (out->report.status != CST_SOLVED)
        fail_msg("%s: %s, E = %g after %d iterations (%s)", name, cst_status_name(out->report.status), out->report.residual.error,
                 out->report.iterations, out->report.message);
    owned_problem W = problem_from_dense(dim, n, made->W, made->w, made->problem.mu, made->problem.law);
    const verdict found = judge(&W.problem, out->r, out->report.residual.velocity_scale);
    if (!(found.alart_curnier <= 100 * TOLERANCE)) /* u = W r + w sees what momentum leaves in nodal velocities, amplified */
        fail_msg("%s: E = %g by dense elimination", name, found.alart_curnier);
    double *u = new_doubles((size_t)m), *v = new_doubles((size_t)dofs);
    for (int at = 0; at < made->problem.bodies; at++)
        memcpy(v + made->offset[at], made->problem.body[at].rhs, sizeof(double) * (size_t)made->problem.body[at].size);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < dofs; k++)
            v[k] += made->H[i * dofs + k] * out->r[i];
    test_dense_solve(dofs, made->A, 1, v);
    for (int i = 0; i < m; i++) {
        u[i] = made->problem.velocity_offset[i];
        for (int k = 0; k < dofs; k++)
            u[i] += made->H[i * dofs + k] * out->v[k];
    }
    assert_true(farthest(u, out->u, m) <= 1e-12 * (1 + farthest(u, made->w, m)));
    if (!(farthest(v, out->v, dofs) <= 1e-9 * found.V))
        fail_msg("%s: v is %g from A^-1 (rhs + H^T r), V = %g", name, farthest(v, out->v, dofs), found.V);
    free(u);
    free(v);
    problem_free(&W);
}

static bool all_nodal(const test_bodies *made)
{
    for (int at = 0; at < made->problem.bodies; at++)
        if (made->problem.body[at].kind != CST_BODY_NODAL)
            return false;
    return true;
}

static void compare_forms(const char *name, uint64_t seed, const test_bodies_options *what)
{
    test_bodies *made = test_bodies_make(seed, what);
    answer first = {0};
    for (cst_form form = CST_FORM_EXPLICIT; form < CST_FORM_COUNT; form++) {
        char label[128];
        if (form == CST_FORM_PRIMAL && !(what->one_node && all_nodal(made)))
            continue;
        const cst_friction_options options = options_of(form);
        answer out = solve_form(made, &options);
        snprintf(label, sizeof label, "%s %dD seed %d, %s", name, what->dim, (int)seed, cst_form_name(form));
        check_answer(made, &out, label);
        assert_int_equal(out.report.form, form);
        if (form == CST_FORM_EXPLICIT) {
            first = out;
            continue;
        }
        const double apart = farthest(first.v, out.v, made->dofs);
        if (!(apart <= 1e-9 * fmax(1, first.report.residual.velocity_scale)))
            fail_msg("%s: velocities are %g from those of the explicit form", label, apart);
        answer_free(&out);
    }
    answer_free(&first);
    test_bodies_free(made);
}

static void compare_kinds(const char *name, test_bodies_options what)
{
    for (what.dim = 2; what.dim <= 3; what.dim++)
        for (uint64_t seed = 0; seed < 6; seed++)
            compare_forms(name, seed, &what);
}

static void test_dense(void **state)
{
    (void)state;
    compare_kinds("dense", (test_bodies_options){.kinds = TEST_DENSE, .bodies = 6, .contacts = 12, .mu = 0.3});
}

static void test_band(void **state)
{
    (void)state;
    compare_kinds("band", (test_bodies_options){.kinds = TEST_BAND, .bodies = 6, .contacts = 12, .mu = 0.3});
}

static void test_solve(void **state)
{
    (void)state;
    compare_kinds("solve", (test_bodies_options){.kinds = TEST_SOLVE, .bodies = 6, .contacts = 12, .mu = 0.3});
}

static void test_nodal(void **state)
{
    (void)state;
    compare_kinds("nodal", (test_bodies_options){.kinds = TEST_NODAL, .bodies = 3, .contacts = 16, .mu = 0.3});
}

static void test_one_node(void **state)
{
    (void)state;
    compare_kinds("one node",
                  (test_bodies_options){.kinds = TEST_NODAL, .bodies = 3, .contacts = 14, .mu = 0.3, .one_node = true});
}

static void test_stiff_cloth(void **state)
{
    (void)state;
    compare_kinds("stiff", (test_bodies_options){
                               .kinds = TEST_NODAL, .bodies = 2, .contacts = 12, .mu = 0.3, .stiffness = 100, .nodes = 25});
    compare_kinds(
        "stiff, one node",
        (test_bodies_options){
            .kinds = TEST_NODAL, .bodies = 2, .contacts = 12, .mu = 0.3, .one_node = true, .stiffness = 100, .nodes = 25});
}

static void test_all_kinds(void **state)
{
    (void)state;
    compare_kinds("all kinds", (test_bodies_options){.kinds = TEST_ALL, .bodies = 9, .contacts = 24, .mu = -1});
}

static void test_frictionless(void **state)
{
    (void)state;
    compare_kinds("frictionless", (test_bodies_options){.kinds = TEST_ALL, .bodies = 8, .contacts = 18, .mu = 0});
    compare_kinds("frictionless nodal",
                  (test_bodies_options){.kinds = TEST_NODAL, .bodies = 2, .contacts = 9, .mu = 0, .one_node = true});
}

static void test_bilateral(void **state)
{
    (void)state;
    compare_kinds("bilateral",
                  (test_bodies_options){.kinds = TEST_ALL, .bodies = 9, .contacts = 14, .mu = 0.3, .bilateral = 0.3});
    compare_kinds(
        "bilateral nodal",
        (test_bodies_options){.kinds = TEST_NODAL, .bodies = 3, .contacts = 10, .mu = 0.3, .bilateral = 0.3, .one_node = true});
}

static void test_both_sides_on_one_body(void **state)
{
    (void)state;
    compare_kinds("same body",
                  (test_bodies_options){.kinds = TEST_ALL, .bodies = 3, .contacts = 8, .mu = 0.3, .same_body = true});
    compare_kinds(
        "self-contact",
        (test_bodies_options){.kinds = TEST_NODAL, .bodies = 1, .contacts = 6, .mu = 0.3, .one_node = true, .same_body = true});
}

/* ----------------------------------------------------------------------------------------------------------------- edges */

static test_bodies *some_bodies(int contacts)
{
    return test_bodies_make(
        3, &(test_bodies_options){.dim = 3, .kinds = TEST_NODAL, .bodies = 3, .contacts = contacts, .mu = 0.3, .one_node = true});
}

static void test_no_contacts(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(0);
    double *free_motion = new_doubles((size_t)made->dofs);
    for (int at = 0; at < made->problem.bodies; at++)
        memcpy(free_motion + made->offset[at], made->problem.body[at].rhs, sizeof(double) * (size_t)made->problem.body[at].size);
    test_dense_solve(made->dofs, made->A, 1, free_motion);
    for (cst_form form = CST_FORM_AUTO; form < CST_FORM_COUNT; form++) {
        const cst_friction_options options = options_of(form);
        answer out = solve_form(made, &options);
        assert_int_equal(out.report.status, CST_SOLVED);
        assert_int_equal(out.report.residual.worst_contact, -1);
        assert_true(farthest(out.v, free_motion, made->dofs) <= 1e-9);
        answer_free(&out);
    }
    free(free_motion);
    test_bodies_free(made);
}

static void test_auto_chooses_by_kind(void **state)
{
    (void)state;
    const cst_friction_options options = options_of(CST_FORM_AUTO);
    test_bodies *nodal = some_bodies(10);
    test_bodies *reduced =
        test_bodies_make(3, &(test_bodies_options){.dim = 3, .kinds = TEST_REDUCED, .bodies = 5, .contacts = 10, .mu = 0.3});
    answer of_nodal = solve_form(nodal, &options), of_reduced = solve_form(reduced, &options);
    check_answer(nodal, &of_nodal, "auto, nodal");
    check_answer(reduced, &of_reduced, "auto, reduced");
    assert_true(of_reduced.report.form == CST_FORM_EXPLICIT || of_reduced.report.form == CST_FORM_PRODUCT);
    answer_free(&of_nodal);
    answer_free(&of_reduced);
    test_bodies_free(nodal);
    test_bodies_free(reduced);
}

static void test_known_impulses_are_a_good_guess(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(14);
    for (cst_form form = CST_FORM_PRIMAL; form <= CST_FORM_MIXED; form++) {
        cst_friction_options options = options_of(form);
        answer out = solve_form(made, &options);
        check_answer(made, &out, "first");
        options.tolerance = 1e-6;
        answer cold = solve_form(made, &options);
        cst_friction_solve_bodies(&made->problem, &options, out.r, out.u, out.v, &out.report);
        assert_int_equal(out.report.status, CST_SOLVED);
        assert_true(4 * out.report.iterations < cold.report.iterations);
        answer_free(&cold);
        answer_free(&out);
    }
    test_bodies_free(made);
}

static void test_iterations_run_out(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(14);
    for (cst_form form = CST_FORM_PRIMAL; form <= CST_FORM_MIXED; form++) {
        cst_friction_options options = options_of(form);
        options.max_iterations = 3;
        answer out = solve_form(made, &options);
        assert_int_equal(out.report.status, CST_TOLERANCE_MISSED);
        assert_int_equal(out.report.iterations, 3);
        assert_true(out.report.residual.error > TOLERANCE && out.report.residual.error < 1);
        answer_free(&out);
    }
    test_bodies_free(made);
}

typedef struct patience {
    int calls, iterations;
} patience;

static bool lose_patience(void *user, const cst_friction_progress *progress)
{
    patience *left = user;
    assert_true(progress->iterations >= left->iterations && progress->phase);
    left->iterations = progress->iterations;
    return ++left->calls < 2;
}

static void test_progress_may_interrupt(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(14);
    for (cst_form form = CST_FORM_EXPLICIT; form < CST_FORM_COUNT; form++) {
        cst_friction_options options = options_of(form);
        patience left = {0};
        options.progress = lose_patience;
        options.progress_user = &left;
        options.tolerance = 1e-14; /* not reached before the second call */
        answer out = solve_form(made, &options);
        assert_int_equal(out.report.status, CST_INTERRUPTED);
        assert_int_equal(left.calls, 2);
        assert_true(isfinite(out.report.residual.error));
        answer_free(&out);
    }
    test_bodies_free(made);
}

/* A node pressed from both sides by obstacles that approach each other: nothing can satisfy both contacts. */
static void test_infeasible_nodes_are_recognised(void **state)
{
    (void)state;
    const double matrix[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rhs[3] = {0}, up[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double down[] = {0, 0, -1, 1, 0, 0, 0, -1, 0}, offset[6] = {-1, 0, 0, -1, 0, 0}, mu[] = {0.3, 0.3};
    const int64_t row_start[] = {0, 1};
    const int32_t column[] = {0}, dof[] = {0, 1, 2};
    const cst_body body = {
        .kind = CST_BODY_NODAL, .size = 3, .matrix = matrix, .row_start = row_start, .column = column, .rhs = rhs};
    const cst_contact_side a[] = {{0, 3, dof, up}, {0, 3, dof, down}}, b[] = {{.body = -1}, {.body = -1}};
    const cst_body_problem problem = {
        .dim = 3, .bodies = 1, .body = &body, .contacts = 2, .side_a = a, .side_b = b, .velocity_offset = offset, .mu = mu};
    cst_friction_options options = options_of(CST_FORM_MIXED);
    cst_friction_report report;
    double r[6] = {0}, u[6], v[3];
    assert_int_equal(cst_friction_solve_bodies(&problem, &options, r, u, v, &report), CST_NO_SOLUTION);
    assert_true(report.residual.error > 0.1);
    assert_true(report.blamed_count >= 1);
    assert_true(report.message[0] != '\0');
}

static void test_contact_between_obstacles(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(14);
    ((cst_contact_side *)(uintptr_t)made->problem.side_a)[5] = (cst_contact_side){.body = -1};
    ((cst_contact_side *)(uintptr_t)made->problem.side_b)[5] = (cst_contact_side){.body = -1};
    double *offset = (double *)(uintptr_t)made->problem.velocity_offset + 15;
    for (cst_form form = CST_FORM_EXPLICIT; form < CST_FORM_COUNT; form++) {
        const cst_friction_options options = options_of(form);
        if (form == CST_FORM_PRIMAL)
            continue; /* it has no slot for such a contact; see test_primal.c */
        offset[0] = 0.5;
        answer parting = solve_form(made, &options);
        assert_int_equal(parting.report.status, CST_SOLVED);
        answer_free(&parting);
        offset[0] = -0.5;
        answer meeting = solve_form(made, &options);
        assert_true(meeting.report.status != CST_SOLVED);
        assert_true(meeting.report.residual.error > 0.01);
        answer_free(&meeting);
    }
    test_bodies_free(made);
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

typedef struct rationed {
    int allowed, taken;
    size_t held;
} rationed;

static void *rationed_acquire(void *user, size_t bytes)
{
    rationed *left = user;
    if (left->taken++ >= left->allowed)
        return NULL;
    left->held += bytes;
    return malloc(bytes);
}

static void rationed_release(void *user, void *memory, size_t bytes)
{
    ((rationed *)user)->held -= bytes;
    free(memory);
}

static void test_every_allocation_failed_in_turn(void **state)
{
    (void)state;
    test_bodies *made = test_bodies_make(
        5, &(test_bodies_options){.dim = 3, .kinds = TEST_NODAL, .bodies = 10, .contacts = 60, .mu = 0.3, .one_node = true});
    const size_t size = 3 * (size_t)made->problem.contacts;
    for (cst_form form = CST_FORM_EXPLICIT; form < CST_FORM_COUNT; form++) {
        bool finished = false;
        int tried = 0;
        for (; !finished; tried++) {
            rationed left = {.allowed = tried};
            cst_friction_options options = options_of(form);
            cst_friction_report report;
            double *r = new_doubles(size), *untouched = new_doubles(size), *v = new_doubles((size_t)made->dofs);
            options.allocator = (cst_allocator){rationed_acquire, rationed_release, &left};
            options.tolerance = 1e-4;
            for (size_t k = 0; k < size; k++)
                r[k] = untouched[k] = k % 3 == 0 ? 0.01 : 0;
            const cst_status status = cst_friction_solve_bodies(&made->problem, &options, r, NULL, v, &report);
            finished = status == CST_SOLVED;
            if (!finished) {
                assert_int_equal(status, CST_OUT_OF_MEMORY);
                assert_true(same_bits(r, untouched, size));
            }
            assert_int_equal(left.held, 0);
            free(r);
            free(untouched);
            free(v);
        }
        assert_true(tried > 3);
    }
    test_bodies_free(made);
}

/* However many sweeps there are, the allocator is asked no more often. */
static void test_sweeps_allocate_nothing(void **state)
{
    (void)state;
    test_bodies *made = some_bodies(14);
    for (cst_form form = CST_FORM_PRIMAL; form <= CST_FORM_MIXED; form++) {
        int taken[2];
        for (int run = 0; run < 2; run++) {
            rationed left = {.allowed = 1000000};
            cst_friction_options options = options_of(form);
            options.allocator = (cst_allocator){rationed_acquire, rationed_release, &left};
            options.max_iterations = run == 0 ? 1 : 400;
            options.tolerance = 0;
            answer out = solve_form(made, &options);
            assert_int_equal(out.report.iterations, options.max_iterations);
            taken[run] = left.taken;
            answer_free(&out);
        }
        assert_int_equal(taken[0], taken[1]);
    }
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_band),
        cmocka_unit_test(test_solve),
        cmocka_unit_test(test_nodal),
        cmocka_unit_test(test_one_node),
        cmocka_unit_test(test_stiff_cloth),
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_frictionless),
        cmocka_unit_test(test_bilateral),
        cmocka_unit_test(test_both_sides_on_one_body),
        cmocka_unit_test(test_no_contacts),
        cmocka_unit_test(test_auto_chooses_by_kind),
        cmocka_unit_test(test_known_impulses_are_a_good_guess),
        cmocka_unit_test(test_iterations_run_out),
        cmocka_unit_test(test_progress_may_interrupt),
        cmocka_unit_test(test_infeasible_nodes_are_recognised),
        cmocka_unit_test(test_contact_between_obstacles),
        cmocka_unit_test(test_every_allocation_failed_in_turn),
        cmocka_unit_test(test_sweeps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
