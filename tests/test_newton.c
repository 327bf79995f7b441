/* Newton on all contacts: its direction against differences of the function it solves, its order of convergence, both functions
 * and the proximal method against answers known by construction, the families on which sweeps crawl, and what is to happen when
 * there is no answer, no time, or no memory. */
#include "friction/newton_system.h"
#include "friction/nonsmooth_newton.h"
#include "friction/proximal_newton.h"
#include "friction/residual.h"
#include "friction/rows.h"
#include "generate/family.h"
#include "tests/failing_allocator.h"
#include "tests/friction_fixture.h"

/* --------------------------------------------------------------------------------------------------------------- systems */

typedef struct packed {
    const cst_friction_problem *problem;
    cst_arena arena;
    cst_system system;
    size_t size;
    double *x; /* (size) zero at first */
    double *r; /* (size) x in the problem's units, by to_impulses */
    double *w; /* (contacts) */
} packed;

static packed *pack(const cst_friction_problem *problem)
{
    packed *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->problem = problem;
    p->size = (size_t)problem->contacts * (size_t)problem->dim;
    p->system.threads = 1;
    cst_arena_begin(&p->arena, NULL);
    const double V = cst_velocity_scale(problem->dim, problem->contacts, problem->free_velocity, problem->law);
    assert_true(cst_rows_pack(problem, NULL, V, &p->arena, &p->system));
    p->x = CST_TAKE(&p->arena, double, p->size);
    p->r = CST_TAKE(&p->arena, double, p->size);
    p->w = CST_TAKE(&p->arena, double, problem->contacts);
    assert_false(p->arena.failed);
    cst_rows_compliance(problem, p->w);
    return p;
}

static void unpack(packed *p)
{
    cst_arena_end(&p->arena);
    free(p);
}

/* r = x / sqrt(w). */
static const double *to_impulses(packed *p)
{
    for (size_t k = 0; k < p->size; k++)
        p->r[k] = p->x[k] / sqrt(p->w[k / (size_t)p->problem->dim]);
    return p->r;
}

typedef enum method { ALART_CURNIER, FISCHER_BURMEISTER, ALART_CURNIER_FULL, FISCHER_BURMEISTER_FULL, PROXIMAL, METHODS } method;

static cst_method_result run(packed *p, method chosen, const cst_method_settings *settings)
{
    if (chosen == PROXIMAL)
        return cst_proximal_newton(&p->system, settings, &p->arena, p->x);
    const bool fischer_burmeister = chosen == FISCHER_BURMEISTER || chosen == FISCHER_BURMEISTER_FULL;
    const bool line_search = chosen == ALART_CURNIER || chosen == FISCHER_BURMEISTER;
    return cst_global_newton(&p->system, settings, fischer_burmeister, line_search, &p->arena, p->x);
}

static cst_method_result run_to(packed *p, method chosen, double tolerance, int max_iterations)
{
    const cst_method_settings settings = {.tolerance = tolerance, .max_iterations = max_iterations};
    return run(p, chosen, &settings);
}

/* Random W with blocks missing on one side of the diagonal only, not symmetric; every law. */
static owned_problem random_problem(uint64_t seed, int dim, int n)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    const int size = n * dim;
    double *W = new_doubles((size_t)size * (size_t)size), *w = new_doubles((size_t)size), *mu = new_doubles((size_t)n);
    uint8_t *law = calloc((size_t)n, 1);
    assert_non_null(law);
    for (int i = 0; i < n; i++) {
        mu[i] = i % 5 == 0 ? 0.0 : cst_rng_range(&rng, 0.1, 3.0);
        law[i] = i % 7 == 3 ? CST_LAW_BILATERAL : CST_LAW_COULOMB;
        for (int j = 0; j < n; j++) {
            if (i != j && cst_rng_uniform(&rng) > 0.4)
                continue;
            for (int k = 0; k < dim * dim; k++)
                W[(i * dim + k / dim) * size + j * dim + k % dim] =
                    cst_rng_range(&rng, -0.2, 0.2) + (i == j && k % (dim + 1) == 0 ? 1.0 : 0.0);
        }
        for (int k = 0; k < dim; k++)
            w[i * dim + k] = cst_rng_range(&rng, -1.0, 1.0);
    }
    owned_problem made = problem_from_dense(dim, n, W, w, mu, law);
    free(W);
    free(w);
    free(mu);
    free(law);
    return made;
}

/* ------------------------------------------------------------------------------------------------------------- direction */

/* F at x + step d, from the system's own product. */
static void function_at(packed *p, cst_newton *newton, const cst_newton_settings *settings, const double *x, double step,
                        double *f)
{
    double *at = new_doubles(p->size), *y = new_doubles(p->size);
    for (size_t k = 0; k < p->size; k++)
        at[k] = x[k] + step * newton->direction[k];
    cst_system_multiply(&p->system, at, y);
    cst_newton_values(newton, settings, at, y, f);
    free(at);
    free(y);
}

/* The derivative of F along d is -F: d by elimination, the derivative by differences. */
static void check_direction(uint64_t seed, int dim, cst_newton_function function, double proximal)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 1);
    owned_problem owned = random_problem(seed, dim, 17);
    packed *p = pack(&owned.problem);
    double *y = new_doubles(p->size), *centre = new_doubles(p->size), *f = new_doubles(p->size);
    double *ahead = new_doubles(p->size), *behind = new_doubles(p->size);
    for (size_t k = 0; k < p->size; k++) {
        /* normals mostly pushed, so that contacts stick and slide; some open */
        p->x[k] = cst_rng_range(&rng, k % (size_t)dim == 0 ? -0.4 : -1.0, 1.0);
        centre[k] = cst_rng_range(&rng, -1.0, 1.0);
    }
    cst_system_multiply(&p->system, p->x, y);
    cst_newton newton;
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_BODIES, &newton));
    const cst_newton_settings settings = {.function = function, .proximal = proximal, .centre = centre};
    assert_true(cst_newton_direction(&newton, &settings, p->x, y));
    double longest = 0.0, largest = 0.0;
    for (size_t k = 0; k < p->size; k++) {
        longest = fmax(longest, fabs(newton.direction[k]));
        largest = fmax(largest, fabs(newton.f[k]));
    }
    const double h = 1e-7 / longest;
    function_at(p, &newton, &settings, p->x, 0.0, f);
    function_at(p, &newton, &settings, p->x, h, ahead);
    function_at(p, &newton, &settings, p->x, -h, behind);
    for (size_t k = 0; k < p->size; k++) {
        assert_true(fabs(f[k] - newton.f[k]) <= 1e-13 * (1.0 + largest));
        const double derivative = (ahead[k] - behind[k]) / (2.0 * h);
        if (!(fabs(derivative + f[k]) <= 1e-6 * longest))
            fail_msg("seed %d, dim %d, function %d, rho %g, unknown %zu: derivative %.8e, function %.8e", (int)seed, dim,
                     (int)function, proximal, k, derivative, f[k]);
    }
    free(y);
    free(centre);
    free(f);
    free(ahead);
    free(behind);
    unpack(p);
    problem_free(&owned);
}

static void test_direction(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (int dim = 2; dim <= 3; dim++)
            for (int function = 0; function < 2; function++)
                for (int proximal = 0; proximal < 2; proximal++)
                    check_direction(seed, dim, (cst_newton_function)function, 0.3 * proximal);
}

/* Open contacts are no part of the linear system, sliding ones two thirds. */
static void test_rank(void **state)
{
    (void)state;
    const double W[81] = {[0] = 1, [10] = 1, [20] = 1, [30] = 1, [40] = 1, [50] = 1, [60] = 1, [70] = 1, [80] = 1};
    const double w[9] = {1, 0, 0, -1, 0.1, 0, -1, 5, 5}, mu[3] = {0.5, 0.5, 0.5};
    owned_problem owned = problem_from_dense(3, 3, W, w, mu, NULL);
    packed *p = pack(&owned.problem);
    const double x[9] = {0, 0, 0, 1, -0.1, 0, 1, -0.3, -0.3};
    double y[9];
    cst_newton newton;
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_BODIES, &newton));
    cst_system_multiply(&p->system, x, y);
    cst_newton_settings settings = {.function = CST_NEWTON_ALART_CURNIER};
    assert_true(cst_newton_direction(&newton, &settings, x, y));
    assert_int_equal(newton.rank[0], 0);
    assert_int_equal(newton.rank[1], 3);
    assert_int_equal(newton.rank[2], 2);
    settings.function = CST_NEWTON_FISCHER_BURMEISTER;
    assert_true(cst_newton_direction(&newton, &settings, x, y));
    for (int i = 0; i < 3; i++)
        assert_int_equal(newton.rank[i], 3);
    unpack(p);
    problem_free(&owned);
}

/* --------------------------------------------------------------------------------------------------------- known answers */

static void test_known_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const known_shape shape = {.dim = 2 + (int)(seed % 2),
                                   .contacts = 60,
                                   .bilateral = seed % 3 == 0 ? 0.2 : 0.0,
                                   .spread = seed % 4 == 0 ? 1e3 : 1.0};
        known_problem known = known_unique(seed, shape);
        for (int m = 0; m < METHODS; m++) {
            packed *p = pack(&known.owned.problem);
            const cst_method_result result = run_to(p, (method)m, 1e-10, 300);
            if (m == ALART_CURNIER_FULL &&
                !result.converged) { /* full steps of this function may cycle: that is what the others are for */
                unpack(p);
                continue;
            }
            if (!result.converged)
                fail_msg("seed %d, method %d: E %.1e after %d", (int)seed, m, result.error, result.iterations);
            assert_true(judge(&known.owned.problem, to_impulses(p), 0.0).alart_curnier <= 1.01e-10);
            assert_true(impulse_distance(&known.owned.problem, p->r, known.r) <= 1e-8);
            unpack(p);
        }
        known_free(&known);
    }
}

typedef struct history {
    int count;
    double error[64];
} history;

static bool note(void *user, int iterations, double error)
{
    history *h = user;
    (void)iterations;
    if (h->count < 64)
        h->error[h->count++] = error;
    return true;
}

/* The last steps square the error, with a rho in proportion to the error too. The constant is the curvature of the function: that
 * of Fischer-Burmeister grows as contacts come near to the apex of the cone. */
static void test_quadratic_tail(void **state)
{
    (void)state;
    int squared = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const known_shape shape = {.dim = 3, .contacts = 40, .spread = 1.0};
        known_problem known = known_unique(seed, shape);
        for (int m = 0; m < METHODS; m++) {
            if (m == ALART_CURNIER_FULL)
                continue;
            packed *p = pack(&known.owned.problem);
            history h = {0};
            const cst_method_settings settings = {.tolerance = 1e-13, .max_iterations = 60, .keep_going = note, .user = &h};
            const cst_method_result result = run(p, (method)m, &settings);
            assert_true(result.error <= 1e-12);
            const double curvature = m == FISCHER_BURMEISTER || m == FISCHER_BURMEISTER_FULL ? 300.0 : 30.0;
            for (int k = 0; k + 1 < h.count; k++)
                if (h.error[k] < 1e-3 && h.error[k] > 1e-7) {
                    squared++;
                    if (h.error[k + 1] > curvature * h.error[k] * h.error[k])
                        fail_msg("seed %d, method %d: %.1e, then %.1e", (int)seed, m, h.error[k], h.error[k + 1]);
                }
            unpack(p);
        }
        known_free(&known);
    }
    assert_true(squared > 24);
}

/* --------------------------------------------------------------------------------------------------------- hard families */

typedef struct family_case {
    const char *name;
    int seeds, max_iterations;
} family_case;

/* Cold starts. The iterations allowed are about ten times the median. */
static void test_hard_families(void **state)
{
    (void)state;
    static const family_case CASES[] = {
        {"mu2", 10, 400},       {"boxes-pushed", 10, 200}, {"rods-nu2", 4, 1000},
        {"grains-nu2", 6, 600}, {"arch", 5, 200},          {"cards", 5, 200},
    };
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
        const cst_family_def *family = cst_family_find(CASES[c].name);
        assert_non_null(family);
        for (int seed = 1; seed <= (SANITIZED ? 1 : CASES[c].seeds); seed++) {
            cst_generated *made = family->make((uint64_t)seed, NULL, NULL);
            assert_non_null(made);
            char message[256] = "";
            cst_friction_problem problem;
            cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
            if (!assembled)
                fail_msg("%s", message);
            packed *p = pack(&problem);
            const cst_method_result result = run_to(p, PROXIMAL, 1e-8, CASES[c].max_iterations);
            const double error = judge(&problem, to_impulses(p), 0.0).alart_curnier;
            if (!result.converged || error > 1.01e-8)
                fail_msg("%s, seed %d: E %.1e after %d", CASES[c].name, seed, error, result.iterations);
            unpack(p);
            cst_assembled_free(assembled);
            cst_generated_free(made);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- hard endings */

/* The same contact twelve times over: W has rank 3 in 36 and the impulse is shared in any way. */
static void test_copies_of_one_contact(void **state)
{
    (void)state;
    enum { COPIES = 12, SIZE = 3 * COPIES };
    double *W = new_doubles((size_t)SIZE * SIZE), w[SIZE], mu[COPIES];
    static const double ONE[9] = {1.0, 0.2, 0.1, 0.2, 1.5, -0.3, 0.1, -0.3, 0.8};
    for (int i = 0; i < SIZE; i++) {
        w[i] = i % 3 == 0 ? -1.0 : 0.9;
        mu[i / 3] = 0.5;
        for (int j = 0; j < SIZE; j++)
            W[i * SIZE + j] = ONE[i % 3 * 3 + j % 3];
    }
    owned_problem owned = problem_from_dense(3, COPIES, W, w, mu, NULL);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&owned.problem);
        const cst_method_result result = run_to(p, (method)m, 1e-9, 300);
        for (size_t k = 0; k < p->size; k++)
            assert_true(isfinite(p->x[k]));
        assert_true(result.error <= 1.0);
        if (m == PROXIMAL) {
            assert_true(result.converged);
            assert_true(judge(&owned.problem, to_impulses(p), 0.0).alart_curnier <= 1.01e-9);
        }
        unpack(p);
    }
    free(W);
    problem_free(&owned);
}

/* Two contacts that want one body in opposite directions: no answer. */
static void test_no_answer(void **state)
{
    (void)state;
    const double W[4 * 4] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, w[4] = {-1, 0, -1, 0}, mu[2] = {0.3, 0.3};
    owned_problem owned = problem_from_dense(2, 2, W, w, mu, NULL);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&owned.problem);
        const cst_method_result result = run_to(p, (method)m, 1e-8, 100);
        assert_false(result.converged);
        assert_true(result.iterations <= 104); /* a step may factor a few times */
        assert_true(result.error > 0.1 && result.error <= 1.0);
        for (size_t k = 0; k < p->size; k++)
            assert_true(isfinite(p->x[k]));
        unpack(p);
    }
    problem_free(&owned);
}

static void test_zero_matrix(void **state)
{
    (void)state;
    const double W[36] = {0}, w[6] = {-1, 1, 0, 1, 0, 0}, mu[2] = {0.5, 0.5};
    owned_problem owned = problem_from_dense(3, 2, W, w, mu, NULL);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&owned.problem);
        const cst_method_result result = run_to(p, (method)m, 1e-8, 50);
        assert_false(result.converged);
        for (size_t k = 0; k < p->size; k++)
            assert_true(isfinite(p->x[k]));
        unpack(p);
    }
    problem_free(&owned);
}

static bool stop_at_two(void *user, int iterations, double error)
{
    (void)user;
    (void)error;
    return iterations < 2;
}

static void test_interrupted(void **state)
{
    (void)state;
    const known_shape shape = {.dim = 3, .contacts = 40, .spread = 1.0};
    known_problem known = known_unique(3, shape);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&known.owned.problem);
        const cst_method_settings settings = {.tolerance = 1e-12, .max_iterations = 100, .keep_going = stop_at_two};
        const cst_method_result result = run(p, (method)m, &settings);
        assert_true(result.interrupted && !result.converged && !result.stalled);
        assert_int_equal(result.iterations, 2);
        unpack(p);
    }
    known_free(&known);
}

static void test_too_dear(void **state)
{
    (void)state;
    const known_shape shape = {.dim = 3, .contacts = 40, .spread = 1.0};
    known_problem known = known_unique(4, shape);
    packed *p = pack(&known.owned.problem);
    const cst_method_settings settings = {.tolerance = 1e-10, .max_iterations = 100};
    cst_proximal_state handed_on = {0};
    for (size_t k = 0; k < p->size; k++)
        p->x[k] = 0.25;
    cst_method_result result = cst_proximal_newton_within(&p->system, &settings, 1.0, &handed_on, &p->arena, p->x);
    assert_true(result.stalled && !result.converged && result.iterations == 0 && handed_on.flops > 1.0);
    for (size_t k = 0; k < p->size; k++)
        assert_true(p->x[k] == 0.25);
    result = cst_proximal_newton_within(&p->system, &settings, handed_on.flops, &handed_on, &p->arena, p->x);
    assert_true(result.converged && handed_on.weight > 0.0);
    unpack(p);
    known_free(&known);
}

static void test_same_bits(void **state)
{
    (void)state;
    const known_shape shape = {.dim = 3, .contacts = 80, .spread = 10.0};
    known_problem known = known_unique(5, shape);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&known.owned.problem), *q = pack(&known.owned.problem);
        run_to(p, (method)m, 1e-9, 40);
        run_to(q, (method)m, 1e-9, 40);
        assert_true(same_bits(p->x, q->x, p->size));
        unpack(p);
        unpack(q);
    }
    known_free(&known);
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    const known_shape shape = {.dim = 3, .contacts = 300, .spread = 1.0};
    known_problem known = known_unique(6, shape);
    for (int m = 0; m < METHODS; m++) {
        packed *p = pack(&known.owned.problem);
        bool finished = false;
        int allowed = 0;
        for (; !finished; allowed++) {
            assert_true(allowed < 200);
            int left = allowed;
            const cst_allocator allocator = fixture_failing_allocator(&left);
            cst_arena kept = p->arena;
            cst_arena_begin(&p->arena, &allocator);
            const cst_method_result result = run_to(p, (method)m, 1e-6, 2);
            finished = !p->arena.failed;
            assert_true(finished || !result.converged);
            cst_arena_end(&p->arena);
            p->arena = kept;
        }
        assert_true(allowed > 3);
        unpack(p);
    }
    known_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direction),     cmocka_unit_test(test_rank),
        cmocka_unit_test(test_known_answers), cmocka_unit_test(test_quadratic_tail),
        cmocka_unit_test(test_hard_families), cmocka_unit_test(test_copies_of_one_contact),
        cmocka_unit_test(test_no_answer),     cmocka_unit_test(test_zero_matrix),
        cmocka_unit_test(test_interrupted),   cmocka_unit_test(test_too_dear),
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
