/* Newton where the error is (friction/focus.h), on a chain with clusters (tests/pinched_chain.h). */
#include "friction/focus.h"
#include "friction/product.h"
#include "friction/rows.h"
#include "tests/friction_fixture.h"
#include "tests/pinched_chain.h"

/* Clusters are local: a chain ten times as long, with ten times as many, takes about as many iterations. */
static void test_iterations_do_not_grow(void **state)
{
    (void)state;
    static const cst_form forms[] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT};
    for (int f = 0; f < 2; f++) {
        int iterations[2];
        for (int k = 0; k < 2; k++) {
            cst_pinched_chain c = cst_pinched_chain_new(k == 0 ? 60 : 600);
            double *r = new_doubles(3 * (size_t)c.problem.contacts);
            const cst_friction_report report = cst_pinched_chain_solve(&c, forms[f], 1e-8, 1, r);
            assert_int_equal(report.status, CST_SOLVED);
            assert_true(report.residual.error <= 1e-8);
            assert_true(report.newton_iterations > 0);
            iterations[k] = report.iterations;
            free(r);
            cst_pinched_chain_free(&c);
        }
        print_message("%s: %d and %d iterations\n", cst_form_name(forms[f]), iterations[0], iterations[1]);
        assert_true(iterations[1] <= 2 * iterations[0] + 20);
    }
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    cst_pinched_chain c = cst_pinched_chain_new(900); /* enough to be coloured */
    const size_t size = 3 * (size_t)c.problem.contacts;
    double *one = new_doubles(size), *two = new_doubles(size);
    const cst_friction_report first = cst_pinched_chain_solve(&c, CST_FORM_PRODUCT, 1e-8, 1, one);
    const cst_friction_report second = cst_pinched_chain_solve(&c, CST_FORM_PRODUCT, 1e-8, 2, two);
    assert_int_equal(first.status, CST_SOLVED);
    assert_true(first.colours > 0);
    assert_int_equal(first.iterations, second.iterations);
    assert_memory_equal(one, two, size * sizeof *one);
    free(one);
    free(two);
    cst_pinched_chain_free(&c);
}

/* An answer spoiled in many places far from each other: F falls into parts, and threads that share them leave the same bits. */
static void test_parts_on_threads(void **state)
{
    (void)state;
    cst_pinched_chain c = cst_pinched_chain_new(2000);
    char message[256] = "";
    cst_friction_problem problem;
    cst_assembled *assembled = cst_friction_assemble(&c.problem, NULL, &problem, message, sizeof message);
    assert_non_null(assembled);
    const size_t size = 3 * (size_t)problem.contacts;
    double *r = new_doubles(size), *one = new_doubles(size), *two = new_doubles(size), *y = new_doubles(size);
    const cst_friction_report report = cst_pinched_chain_solve(&c, CST_FORM_EXPLICIT, 1e-8, 1, r);
    assert_int_equal(report.status, CST_SOLVED);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_system system = {.threads = 1};
    assert_true(cst_rows_pack(&problem, NULL, report.residual.velocity_scale, &arena, &system));
    for (size_t k = 0; k < size; k++)
        one[k] = r[k] * system.weight[k / 3] * report.residual.velocity_scale;
    for (int i = 5; i < 2000; i += 10) /* the ground under the light balls that carry heavy ones */
        for (int e = 0; e < 3; e++)
            one[3 * i + e] *= 1.2 + 1e-5 * i;
    memcpy(two, one, size * sizeof *one);
    const cst_method_settings settings = {.tolerance = 1e-6, .max_iterations = 100};
    cst_system_multiply(&system, one, y);
    const double error = cst_system_error(&system, one, y, false);
    const cst_focus_result first = cst_focus(&system, &settings, HUGE_VAL, &arena, one);
    system.threads = 2;
    const cst_focus_result second = cst_focus(&system, &settings, HUGE_VAL, &arena, two);
    assert_false(arena.failed);
    print_message("%d contacts, %d iterations, improved %d\n", first.contacts, first.iterations, first.improved);
    assert_true(first.improved && first.contacts >= 512);
    assert_int_equal(first.iterations, second.iterations);
    assert_memory_equal(one, two, size * sizeof *one);
    cst_system_multiply(&system, one, y);
    assert_true(cst_system_error(&system, one, y, false) < 0.5 * error);
    cst_arena_end(&arena);
    free(r);
    free(one);
    free(two);
    free(y);
    cst_assembled_free(assembled);
    cst_pinched_chain_free(&c);
}

/* An answer spoiled in one place: F is that place and what touches it, the rest of x keeps its bits, and the error falls. */
static void test_only_where_the_error_is(void **state)
{
    (void)state;
    cst_pinched_chain c = cst_pinched_chain_new(100);
    char message[256] = "";
    cst_friction_problem problem;
    cst_assembled *assembled = cst_friction_assemble(&c.problem, NULL, &problem, message, sizeof message);
    assert_non_null(assembled);
    const int n = problem.contacts;
    double *r = new_doubles(3 * (size_t)n), *x = new_doubles(3 * (size_t)n), *before = new_doubles(3 * (size_t)n),
           *y = new_doubles(3 * (size_t)n);
    const cst_friction_report report = cst_pinched_chain_solve(&c, CST_FORM_EXPLICIT, 1e-11, 1, r);
    assert_int_equal(report.status, CST_SOLVED);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_system system = {.threads = 1};
    assert_true(cst_rows_pack(&problem, NULL, report.residual.velocity_scale, &arena, &system));
    for (int k = 0; k < 3 * n; k++)
        x[k] = r[k] * system.weight[k / 3] * report.residual.velocity_scale;
    const int spoiled = 40; /* the ground under light ball 40 */
    for (int e = 0; e < 3; e++)
        x[3 * spoiled + e] *= 1.2;
    memcpy(before, x, 3 * (size_t)n * sizeof *x);
    const cst_method_settings settings = {.tolerance = 1e-10, .max_iterations = 100};
    cst_system_multiply(&system, x, y);
    const double error = cst_system_error(&system, x, y, false);
    const cst_focus_result focus = cst_focus(&system, &settings, HUGE_VAL, &arena, x);
    assert_false(arena.failed);
    assert_true(focus.improved && focus.iterations > 0);
    assert_true(focus.contacts >= 3 && focus.contacts <= 12);
    int moved = 0;
    for (int i = 0; i < n; i++)
        moved += memcmp(x + 3 * i, before + 3 * i, 3 * sizeof *x) != 0;
    assert_true(moved > 0 && moved <= focus.contacts);
    cst_system_multiply(&system, x, y);
    assert_true(cst_system_error(&system, x, y, false) < 0.5 * error);

    /* error everywhere: there is no F, and nothing is done */
    memset(x, 0, 3 * (size_t)n * sizeof *x);
    memcpy(before, x, 3 * (size_t)n * sizeof *x);
    const cst_focus_result none = cst_focus(&system, &settings, HUGE_VAL, &arena, x);
    assert_int_equal(none.contacts, 0);
    assert_false(none.improved);
    /* a factorisation that may cost nothing: nothing is done either */
    memcpy(x, r, 3 * (size_t)n * sizeof *x);
    const cst_focus_result dear = cst_focus(&system, &settings, 0.0, &arena, x);
    assert_int_equal(dear.iterations, 0);
    assert_memory_equal(x, r, 3 * (size_t)n * sizeof *x);
    cst_arena_end(&arena);
    free(r);
    free(x);
    free(before);
    free(y);
    cst_assembled_free(assembled);
    cst_pinched_chain_free(&c);
}

/* Every request of memory failed in turn: the answer says so, and nothing is leaked (the sanitizers look). */
typedef struct meter {
    long requests, fail_at;
    long blocks;
} meter;

static void *acquire(void *user, size_t bytes)
{
    meter *m = user;
    if (m->requests++ >= m->fail_at && m->fail_at >= 0)
        return NULL;
    m->blocks++;
    return malloc(bytes);
}

static void release(void *user, void *block, size_t bytes)
{
    meter *m = user;
    (void)bytes;
    m->blocks -= block != NULL;
    free(block);
}

static void test_memory(void **state)
{
    (void)state;
    cst_pinched_chain c = cst_pinched_chain_new(60);
    const size_t size = 3 * (size_t)c.problem.contacts;
    double *r = new_doubles(size);
    long fail_at = 0;
    for (;; fail_at++) {
        meter m = {.fail_at = fail_at};
        cst_friction_options options = cst_friction_options_default();
        cst_friction_report report;
        options.solver = CST_SOLVER_ACCELERATED;
        options.form = CST_FORM_PRODUCT;
        options.tolerance = 1e-8;
        options.allocator = (cst_allocator){acquire, release, &m};
        memset(r, 0, size * sizeof *r);
        const cst_status status = cst_friction_solve_bodies(&c.problem, &options, r, NULL, NULL, &report);
        assert_int_equal(m.blocks, 0);
        if (status == CST_SOLVED)
            break;
        assert_int_equal(status, CST_OUT_OF_MEMORY);
    }
    print_message("%ld requests, each failed\n", fail_at);
    assert_true(fail_at > 3);
    free(r);
    cst_pinched_chain_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iterations_do_not_grow),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_parts_on_threads),
        cmocka_unit_test(test_only_where_the_error_is),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
