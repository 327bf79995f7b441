/* The first-order solvers on a scaled system: projected Gauss-Seidel, projected gradient, Cadoux' fixed point. The families, and what
 * every method promises: the best iterate and its true error, the budget, the same bits for any number of threads, no harm from
 * bad data. Answers known by other means are in test_first_order_answers.c. */
#include "friction/product.h"
#include "friction/projected_gradient.h"
#include "friction/residual.h"
#include "generate/family.h"
#include "tests/first_order_fixture.h"

/* ------------------------------------------------------------------------------------------------------------- families */

/* Every family that is small, by all three. Where W is singular r is not unique, hence no comparison of answers here. mu100 is left
 * out: its correction is a hundred times the sliding velocity, and none of the three gets below 1e-2. */
static void test_families(void **state)
{
    (void)state;
    for (int f = 0; f < cst_family_count; f++) {
        if (strncmp(cst_families[f].name, "strands", 7) == 0 || strcmp(cst_families[f].name, "mu100") == 0)
            continue;
        for (uint64_t seed = 1; seed <= 2; seed++) {
            cst_generated *made = cst_families[f].make(seed, NULL, NULL);
            cst_friction_problem problem;
            char message[256];
            assert_non_null(made);
            cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
            assert_non_null(assembled);
            double *r = new_doubles((size_t)problem.contacts * (size_t)problem.dim);
            int iterations[METHODS_COUNT];
            for (int m = 0; m < METHODS_COUNT; m++)
                iterations[m] = solve(&problem, m, 1e-6, 50000, made->name, r);
            print_message("%-32s %4d contacts: %6d %6d %6d\n", made->name, problem.contacts, iterations[0], iterations[1],
                          iterations[2]);
            free(r);
            cst_assembled_free(assembled);
            cst_generated_free(made);
        }
    }
}

/* Where the answer is unique the three agree, on the velocities and on the impulses. */
static void test_agreement(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        cst_family_parameters parameters = cst_family_parameters_default();
        parameters.mu = 0.1; /* small: the fixed point is a contraction, the answer unique */
        cst_generated *made = cst_family_find("rods")->make(seed, &parameters, NULL);
        cst_friction_problem problem;
        char message[256];
        assert_non_null(made);
        cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
        assert_non_null(assembled);
        const size_t size = (size_t)problem.contacts * (size_t)problem.dim;
        double *r[METHODS_COUNT], *u[METHODS_COUNT];
        for (int m = 0; m < METHODS_COUNT; m++) {
            r[m] = new_doubles(size);
            u[m] = new_doubles(size);
            solve(&problem, m, 1e-11, 50000, made->name, r[m]);
            problem_velocities(&problem, r[m], u[m]);
        }
        for (int m = 1; m < METHODS_COUNT; m++) {
            assert_true(velocity_distance(&problem, u[m], u[0]) <= 1e-8);
            assert_true(impulse_distance(&problem, r[m], r[0]) <= 1e-6);
        }
        for (int m = 0; m < METHODS_COUNT; m++) {
            free(r[m]);
            free(u[m]);
        }
        cst_assembled_free(assembled);
        cst_generated_free(made);
    }
}

/* --------------------------------------------------------------------------------------------------------- the contract */

typedef struct observer {
    double last;
    int calls, last_iteration;
    int stop_after; /* calls; 0: never */
    bool rose;
} observer;

static bool observe(void *user, int iterations, double error)
{
    observer *o = user;
    o->rose = o->rose || (o->calls > 0 && error > o->last) || iterations < o->last_iteration;
    o->last = error;
    o->last_iteration = iterations;
    o->calls++;
    return o->stop_after == 0 || o->calls < o->stop_after;
}

static cst_generated *boxes;
static cst_assembled *boxes_assembled;
static cst_friction_problem boxes_problem;

static int make_boxes(void **state)
{
    (void)state;
    char message[256];
    boxes = cst_family_find("boxes-pushed")->make(1, NULL, NULL);
    boxes_assembled = boxes ? cst_friction_assemble(&boxes->problem, NULL, &boxes_problem, message, sizeof message) : NULL;
    return boxes_assembled ? 0 : -1;
}

static int free_boxes(void **state)
{
    (void)state;
    cst_assembled_free(boxes_assembled);
    cst_generated_free(boxes);
    return 0;
}

/* Neither method is monotone; what it reports and returns is. */
static void test_best_is_kept(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++)
        for (int stop_after = 0; stop_after <= 7; stop_after += 7) {
            setting s = begin(&boxes_problem, false, 1);
            observer o = {.stop_after = stop_after};
            const cst_method_settings settings = {.tolerance = 1e-9, .max_iterations = 333, .keep_going = observe, .user = &o};
            const cst_method_result result = METHODS[m].solve(&s.system, &settings, &s.arena, s.x);
            assert_true(o.calls > 1);
            assert_false(o.rose);
            assert_true(result.error == error_of(&s)); /* the same bits: it is the iterate that was judged */
            assert_true(result.error <= o.last);
            assert_int_equal(result.interrupted, stop_after > 0);
            assert_false(result.converged || result.stalled);
            if (stop_after == 0)
                assert_int_equal(result.iterations, 333);
            else
                assert_int_equal(o.calls, stop_after);
            end(&s);
        }
}

/* A longer run judges the iterates of a shorter one too, if the shorter one ends where it judges. The gradient judges when its
 * backtracking lets it, so it is not held to this. */
static void test_more_is_never_worse(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++) {
        double last = HUGE_VAL;
        if (METHODS[m].solve == cst_projected_gradient)
            continue;
        for (int budget = 0; budget <= 375; budget += 75) {
            setting s = begin(&boxes_problem, false, 1);
            const cst_method_result result = run(&s, m, 1e-12, budget);
            assert_true(result.error <= last && result.iterations <= budget);
            last = result.error;
            end(&s);
        }
        assert_true(last < 0.1);
    }
}

static void test_warm_start(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&boxes_problem, false, 1);
        const cst_method_result cold = run(&s, m, 1e-8, 50000);
        assert_true(cold.converged && cold.iterations > 10);
        const cst_method_result warm = run(&s, m, 1e-8, 50000);
        assert_true(warm.converged && warm.error == cold.error);
        assert_int_equal(warm.iterations, 0);
        end(&s);
    }
}

/* The judge inside may be either measure. */
static void test_fischer_burmeister(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&boxes_problem, false, 1);
        const cst_method_settings settings = {.tolerance = 1e-7, .fischer_burmeister = true, .max_iterations = 50000};
        const cst_method_result result = METHODS[m].solve(&s.system, &settings, &s.arena, s.x);
        cst_system_multiply(&s.system, s.x, s.y);
        assert_true(result.converged && result.error <= 1e-7);
        assert_true(result.error == cst_system_error(&s.system, s.x, s.y, true));
        end(&s);
    }
}

static void test_nothing(void **state)
{
    (void)state;
    owned_problem owned = problem_new(3, 0, 0);
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&owned.problem, false, 1);
        const cst_method_result result = run(&s, m, 1e-8, 10);
        assert_true(result.converged && result.error == 0.0);
        end(&s);
    }
    problem_free(&owned);
}

/* A first guess of NaN and infinities is as good as none. */
static void test_bad_guess(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting clean = begin(&boxes_problem, false, 1), bad = begin(&boxes_problem, false, 1);
        const int size = boxes_problem.contacts * boxes_problem.dim;
        for (int k = 0; k < size; k++)
            bad.x[k] = k % 2 ? NAN : HUGE_VAL;
        const cst_method_result a = run(&clean, m, 1e-6, 50000), b = run(&bad, m, 1e-6, 50000);
        assert_true(a.converged && b.converged && a.iterations == b.iterations);
        assert_memory_equal(clean.x, bad.x, (size_t)size * sizeof(double));
        end(&clean);
        end(&bad);
    }
}

/* A guess outside the cones is projected, not believed. */
static void test_guess_outside(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&boxes_problem, false, 1);
        for (int k = 0; k < boxes_problem.contacts * boxes_problem.dim; k++)
            s.x[k] = -3.0;
        const cst_method_result result = run(&s, m, 1e-8, 50000);
        assert_true(result.converged);
        for (int i = 0; i < boxes_problem.contacts; i++)
            assert_true(s.x[i * boxes_problem.dim] >= 0.0);
        end(&s);
    }
}

/* A node pressed by two opposite obstacles: impulses grow for ever. b is chosen so that adding it to huge numbers loses it, which
 * makes A x + b vanish: not a solution. */
static void test_infeasible(void **state)
{
    (void)state;
    const double W[36] = {1,  0, 0, -1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1,
                          -1, 0, 0, 1,  0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
    const double b[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
    owned_problem owned = problem_from_dense(3, 2, W, b, mu, NULL);
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&owned.problem, false, 1);
        const cst_method_result result = run(&s, m, 1e-6, 20000);
        assert_false(result.converged);
        assert_true(result.stalled && result.iterations < 2000);
        assert_true(result.error >= 0.5 && isfinite(s.x[0]));
        end(&s);
    }
    problem_free(&owned);
}

/* ---------------------------------------------------------------------------------------------------- order and threads */

static void test_threads_and_colours(void **state)
{
    (void)state;
    cst_family_parameters parameters = cst_family_parameters_default();
    char message[256];
    parameters.contacts = 700; /* more than what is worth a second thread */
    cst_generated *made = cst_family_find("strands")->make(3, &parameters, NULL);
    cst_friction_problem problem;
    assert_non_null(made);
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
    assert_non_null(assembled);
    assert_true(problem.contacts >= 512);
    const size_t bytes = (size_t)problem.contacts * (size_t)problem.dim * sizeof(double);
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting one = begin(&problem, true, 1);
        assert_true(one.system.colours > 1);
        const cst_method_result alone = run(&one, m, 1e-7, 2000);
        assert_true(alone.converged);
        for (int threads = 2; threads <= 4; threads *= 2) {
            setting many = begin(&problem, true, threads);
            const cst_method_result together = run(&many, m, 1e-7, 2000);
            assert_int_equal(alone.iterations, together.iterations);
            assert_true(alone.error == together.error);
            assert_memory_equal(one.x, many.x, bytes);
            end(&many);
        }
        end(&one);
    }
    cst_assembled_free(assembled);
    cst_generated_free(made);
}

/* Most contacts open: laps over the others must not forget one that closes, and keep the promises about the whole. */
static void test_laps(void **state)
{
    (void)state;
    cst_family_parameters parameters = cst_family_parameters_default();
    char message[256];
    parameters.contacts = 400;
    cst_generated *made = cst_family_find("strands-rest")->make(2, &parameters, NULL);
    cst_friction_problem problem;
    assert_non_null(made);
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
    assert_non_null(assembled);
    for (int m = 0; m < METHODS_COUNT; m++)
        for (int stop_after = 0; stop_after <= 20; stop_after += 20) {
            setting s = begin(&problem, false, 1);
            observer o = {.stop_after = stop_after};
            const cst_method_settings settings = {.tolerance = 1e-8, .max_iterations = 20000, .keep_going = observe, .user = &o};
            const cst_method_result result = METHODS[m].solve(&s.system, &settings, &s.arena, s.x);
            int open = 0;
            for (int i = 0; i < problem.contacts; i++)
                open += s.x[i * problem.dim] == 0.0;
            assert_true(10 * open > 3 * problem.contacts); /* or there was no lap */
            assert_false(o.rose);
            assert_true(result.error == error_of(&s));
            assert_int_equal(result.converged, stop_after == 0);
            assert_int_equal(result.interrupted, stop_after > 0);
            end(&s);
        }
    cst_assembled_free(assembled);
    cst_generated_free(made);
}

/* The form that never holds W gives the same answers. */
static void test_product_form(void **state)
{
    (void)state;
    char message[256];
    cst_arena arena;
    cst_bodies bodies;
    cst_arena_begin(&arena, NULL);
    assert_int_equal(cst_bodies_factor(&boxes->problem, CST_BODIES_REDUCED, 1, &arena, &bodies, message, sizeof message),
                     CST_SOLVED);
    const double V =
        cst_velocity_scale(boxes_problem.dim, boxes_problem.contacts, boxes_problem.free_velocity, boxes_problem.law);
    double *u = new_doubles((size_t)boxes_problem.contacts * (size_t)boxes_problem.dim);
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&boxes_problem, false, 1), explicit_form = s;
        s.system = (cst_system){.threads = 1};
        assert_int_equal(cst_product_pack(&bodies, NULL, V, &s.arena, &s.system, NULL, message, sizeof message), CST_SOLVED);
        const cst_method_result result = run(&s, m, 1e-8, 50000);
        assert_true(result.converged);
        cst_system_multiply(&explicit_form.system, s.x, u); /* judged by W itself */
        assert_true(cst_system_error(&explicit_form.system, s.x, u, false) <= 1.1e-8);
        end(&s);
    }
    free(u);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_best_is_kept),
        cmocka_unit_test(test_more_is_never_worse),
        cmocka_unit_test(test_warm_start),
        cmocka_unit_test(test_fischer_burmeister),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_bad_guess),
        cmocka_unit_test(test_guess_outside),
        cmocka_unit_test(test_infeasible),
        cmocka_unit_test(test_threads_and_colours),
        cmocka_unit_test(test_laps),
        cmocka_unit_test(test_product_form),
    };
    return cmocka_run_group_tests(tests, make_boxes, free_boxes);
}
