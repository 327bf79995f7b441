/* The first-order solvers on a scaled system: projected Gauss-Seidel, projected gradient, Cadoux' fixed point. Known answers,
 * frictionless and bilateral problems solved exactly by other means, the families, and what every method promises: the best iterate
 * and its true error, the budget, the same bits for any number of threads, no harm from bad data. */
#include "friction/cadoux.h"
#include "friction/contact_metric.h"
#include "friction/product.h"
#include "friction/projected_gauss_seidel.h"
#include "friction/projected_gradient.h"
#include "friction/residual.h"
#include "friction/rows.h"
#include "generate/family.h"
#include "sparse/coloring.h"
#include "tests/friction_fixture.h"

typedef cst_method_result (*method)(cst_system *system, const cst_method_settings *settings, cst_arena *arena, double *x);

static const struct {
    const char *name;
    method solve;
} METHODS[] = {{"projected Gauss-Seidel", cst_projected_gauss_seidel},
               {"projected gradient", cst_projected_gradient},
               {"Cadoux", cst_cadoux}};
enum { METHODS_COUNT = sizeof METHODS / sizeof METHODS[0] };

/* A system in its arena, with x in the order of the system. */
typedef struct setting {
    cst_arena arena;
    cst_system system;
    int32_t *order;
    double V;
    double *x, *y;
} setting;

static setting begin(const cst_friction_problem *problem, bool coloured, int threads)
{
    setting s = {.system = {.threads = threads}};
    const size_t n = (size_t)problem->contacts, size = n * (size_t)problem->dim;
    cst_arena_begin(&s.arena, NULL);
    s.order = CST_TAKE(&s.arena, int32_t, n);
    s.x = CST_TAKE(&s.arena, double, size);
    s.y = CST_TAKE(&s.arena, double, size);
    assert_false(s.arena.failed);
    for (int32_t i = 0; i < problem->contacts; i++)
        s.order[i] = i;
    if (coloured)
        s.system.colours =
            cst_coloring(problem->contacts, problem->row_start, problem->column, &s.arena, s.order, &s.system.colour_start);
    s.V = cst_velocity_scale(problem->dim, problem->contacts, problem->free_velocity, problem->law);
    assert_true(cst_rows_pack(problem, s.order, s.V, &s.arena, &s.system));
    return s;
}

static void end(setting *s)
{
    cst_arena_end(&s->arena);
}

static double error_of(setting *s)
{
    cst_system_multiply(&s->system, s->x, s->y);
    return cst_system_error(&s->system, s->x, s->y, false);
}

/* r in contact order from x in system order: x = sqrt(w) r and weight = sqrt(w) / V. */
static void unscale(const setting *s, double *r)
{
    const int dim = s->system.dim;
    for (int k = 0; k < s->system.contacts; k++)
        for (int c = 0; c < dim; c++)
            r[s->order[k] * dim + c] = s->x[k * dim + c] / (s->system.weight[k] * s->V);
}

static cst_method_result run(setting *s, int which, double tolerance, int max_iterations)
{
    const cst_method_settings settings = {.tolerance = tolerance, .max_iterations = max_iterations};
    const cst_method_result result = METHODS[which].solve(&s->system, &settings, &s->arena, s->x);
    assert_false(s->arena.failed);
    return result;
}

/* Solve from zero; r (n x dim) out. Fails unless the tolerance is met by the judge of the tests. */
static int solve(const cst_friction_problem *problem, int which, double tolerance, int max_iterations, const char *name,
                 double *r)
{
    setting s = begin(problem, false, 1);
    const cst_method_result result = run(&s, which, tolerance, max_iterations);
    unscale(&s, r);
    const double judged = judge(problem, r, 0.0).alart_curnier;
    if (!result.converged || !(judged <= 1.01 * tolerance))
        fail_msg("%s on %s: converged %d, E %.2e (says %.2e) after %d", METHODS[which].name, name, result.converged, judged,
                 result.error, result.iterations);
    end(&s);
    return result.iterations;
}

/* ------------------------------------------------------------------------------------------------------- known answers */

static void test_known_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const known_shape shape = {.dim = seed % 2 ? 3 : 2,
                                   .contacts = 5 + 10 * (int)seed,
                                   .bilateral = seed % 3 == 0 ? 0.3 : 0.0,
                                   .spread = seed % 4 == 0 ? 100.0 : 1.0,
                                   .natural_order = seed % 5 == 0};
        known_problem known = known_unique(seed, shape);
        double *r = new_doubles((size_t)(shape.contacts * shape.dim));
        for (int m = 0; m < METHODS_COUNT; m++) {
            char name[32];
            snprintf(name, sizeof name, "known %d", (int)seed);
            solve(&known.owned.problem, m, 1e-11, 2000, name, r);
            assert_true(impulse_distance(&known.owned.problem, r, known.r) <= 1e-9);
        }
        free(r);
        known_free(&known);
    }
}

/* ---------------------------------------------------------------------------------------- exact answers by other means */

static double small_random(cst_rng *rng)
{
    return 2.0 * cst_rng_uniform(rng) - 1.0;
}

/* W = B B^T + I / 10 (size x size), so that every principal block is well conditioned. */
static void random_definite(cst_rng *rng, int size, double *W)
{
    double *B = new_doubles((size_t)(size * size));
    for (int k = 0; k < size * size; k++)
        B[k] = small_random(rng);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            W[i * size + j] = i == j ? 0.1 : 0.0;
            for (int k = 0; k < size; k++)
                W[i * size + j] += B[i * size + k] * B[j * size + k];
        }
    free(B);
}

/* x <- M^-1 x by elimination with partial pivoting; M is destroyed. */
static void eliminate(int size, double *M, double *x)
{
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int i = k + 1; i < size; i++)
            if (fabs(M[i * size + k]) > fabs(M[pivot * size + k]))
                pivot = i;
        for (int j = 0; j < size; j++) {
            const double held = M[k * size + j];
            M[k * size + j] = M[pivot * size + j];
            M[pivot * size + j] = held;
        }
        const double held = x[k];
        x[k] = x[pivot];
        x[pivot] = held;
        for (int i = k + 1; i < size; i++) {
            const double factor = M[i * size + k] / M[k * size + k];
            for (int j = k; j < size; j++)
                M[i * size + j] -= factor * M[k * size + j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = size - 1; k >= 0; k--) {
        for (int j = k + 1; j < size; j++)
            x[k] -= M[k * size + j] * x[j];
        x[k] /= M[k * size + k];
    }
}

enum { LCP_MAX = 9 };

/* 0 <= r orthogonal to W r + b >= 0 of the normal components, by trying every set of closed contacts. */
static bool lcp_by_enumeration(int n, int dim, const double *W, const double *b, double *r)
{
    const int size = n * dim;
    for (unsigned closed = 0; closed < 1u << n; closed++) {
        double M[LCP_MAX * LCP_MAX], x[LCP_MAX];
        int at[LCP_MAX], count = 0;
        for (int i = 0; i < n; i++)
            if (closed >> i & 1u)
                at[count++] = i;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++)
                M[i * count + j] = W[at[i] * dim * size + at[j] * dim];
            x[i] = -b[at[i] * dim];
        }
        eliminate(count, M, x);
        bool fits = true;
        for (int i = 0; i < count; i++)
            fits = fits && x[i] >= 0.0;
        for (int i = 0; i < n && fits; i++) {
            double u = b[i * dim];
            for (int j = 0; j < count; j++)
                u += W[i * dim * size + at[j] * dim] * x[j];
            fits = u >= -1e-12;
        }
        if (!fits)
            continue;
        memset(r, 0, (size_t)size * sizeof(double));
        for (int i = 0; i < count; i++)
            r[at[i] * dim] = x[i];
        return true;
    }
    return false;
}

static void test_frictionless_is_an_lcp(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 7, 1);
    for (int trial = 0; trial < 20; trial++) {
        const int dim = trial % 2 ? 2 : 3, n = 3 + trial % (LCP_MAX - 2), size = n * dim;
        double *W = new_doubles((size_t)(size * size)), *b = new_doubles((size_t)size), *mu = new_doubles((size_t)n);
        double *exact = new_doubles((size_t)size), *r = new_doubles((size_t)size);
        random_definite(&rng, size, W);
        for (int k = 0; k < size; k++)
            b[k] = small_random(&rng) - (k % dim == 0 ? 0.5 : 0.0);
        owned_problem owned = problem_from_dense(dim, n, W, b, mu, NULL);
        assert_true(lcp_by_enumeration(n, dim, W, b, exact));
        for (int m = 0; m < METHODS_COUNT; m++) {
            solve(&owned.problem, m, 1e-12, 5000, "an LCP", r);
            assert_true(impulse_distance(&owned.problem, r, exact) <= 1e-9);
        }
        problem_free(&owned);
        free(W);
        free(b);
        free(mu);
        free(exact);
        free(r);
    }
}

static void test_bilateral_is_linear(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 8, 1);
    for (int trial = 0; trial < 6; trial++) {
        const int dim = trial % 2 ? 2 : 3, n = 4 + trial, size = n * dim;
        double *W = new_doubles((size_t)(size * size)), *b = new_doubles((size_t)size), *mu = new_doubles((size_t)n);
        double *exact = new_doubles((size_t)size), *r = new_doubles((size_t)size);
        uint8_t law[16];
        memset(law, CST_LAW_BILATERAL, sizeof law);
        random_definite(&rng, size, W);
        for (int k = 0; k < size; k++) {
            b[k] = small_random(&rng);
            exact[k] = -b[k];
        }
        owned_problem owned = problem_from_dense(dim, n, W, b, mu, law);
        eliminate(size, W, exact);
        for (int m = 0; m < METHODS_COUNT; m++) {
            solve(&owned.problem, m, 1e-12, 5000, "a linear system", r);
            assert_true(impulse_distance(&owned.problem, r, exact) <= 1e-9);
        }
        problem_free(&owned);
        free(W);
        free(b);
        free(mu);
        free(exact);
        free(r);
    }
}

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
            double *r = new_doubles((size_t)(problem.contacts * problem.dim));
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
        const size_t size = (size_t)(problem.contacts * problem.dim);
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
    const size_t bytes = (size_t)(problem.contacts * problem.dim) * sizeof(double);
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
    assert_int_equal(cst_bodies_factor(&boxes->problem, false, &arena, &bodies, message, sizeof message), CST_SOLVED);
    const double V =
        cst_velocity_scale(boxes_problem.dim, boxes_problem.contacts, boxes_problem.free_velocity, boxes_problem.law);
    double *u = new_doubles((size_t)(boxes_problem.contacts * boxes_problem.dim));
    for (int m = 0; m < METHODS_COUNT; m++) {
        setting s = begin(&boxes_problem, false, 1), explicit_form = s;
        s.system = (cst_system){.threads = 1};
        assert_int_equal(cst_product_pack(&bodies, NULL, V, &s.arena, &s.system, message, sizeof message), CST_SOLVED);
        const cst_method_result result = run(&s, m, 1e-8, 50000);
        assert_true(result.converged);
        cst_system_multiply(&explicit_form.system, s.x, u); /* judged by W itself */
        assert_true(cst_system_error(&explicit_form.system, s.x, u, false) <= 1.1e-8);
        end(&s);
    }
    free(u);
    cst_arena_end(&arena);
}

/* --------------------------------------------------------------------------------------------------------------- metric */

/* D - A_ii is semi-definite, and the step is the nearest point of the cone in the metric: no other point of it does better. */
static void test_metric(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 11, 1);
    for (int trial = 0; trial < 200; trial++) {
        const int dim = trial % 2 ? 2 : 3;
        double A[9], mu = trial % 5 == 0 ? 0.0 : 2.0 * cst_rng_uniform(&rng);
        uint8_t law = CST_LAW_COULOMB;
        random_definite(&rng, dim, A);
        const cst_system one = {.dim = dim, .contacts = 1, .mu = &mu, .law = &law, .diagonal = A, .threads = 1};
        cst_contact_metric metric;
        cst_contact_metrics(&one, &metric);
        double x[3] = {0}, v[3] = {0}, p[3] = {0};
        for (int k = 0; k < dim; k++) {
            x[k] = 2.0 * small_random(&rng);
            v[k] = 2.0 * small_random(&rng);
        }
        cst_contact_metric_step(dim, &metric, x, v, 0.7, p);
        const double D[3] = {metric.normal, metric.tangential, metric.tangential};
        double value = 0.0, tangential = 0.0;
        for (int k = 0; k < dim; k++) {
            const double to = x[k] - 0.7 * v[k] / D[k];
            value += D[k] * (p[k] - to) * (p[k] - to);
            tangential = k > 0 ? hypot(tangential, p[k]) : 0.0;
        }
        assert_true(p[0] >= 0.0 && tangential <= mu * p[0] + 1e-12);
        for (int other = 0; other < 200; other++) {
            double d[3] = {0}, q[3] = {0}, length = 0.0, difference = 0.0, other_value = 0.0;
            for (int k = 0; k < dim; k++)
                d[k] = small_random(&rng);
            for (int i = 0; i < dim; i++)
                for (int j = 0; j < dim; j++)
                    difference += d[i] * ((i == j ? D[i] : 0.0) - A[i * dim + j]) * d[j];
            assert_true(difference >= -1e-12);
            /* a point of the cone near p */
            for (int k = 1; k < dim; k++) {
                q[k] = p[k] + 0.3 * d[k];
                length = hypot(length, q[k]);
            }
            q[0] = fmax(0.0, p[0] + 0.3 * d[0]);
            for (int k = 1; k < dim; k++)
                q[k] *= length > mu * q[0] ? mu * q[0] / length : 1.0;
            for (int k = 0; k < dim; k++) {
                const double to = x[k] - 0.7 * v[k] / D[k];
                other_value += D[k] * (q[k] - to) * (q[k] - to);
            }
            assert_true(other_value >= value - 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_frictionless_is_an_lcp),
        cmocka_unit_test(test_bilateral_is_linear),
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
