/* Islands and colours: the graphs themselves, that an island is solved as if it were alone, and a million contacts apart. */
#include "base/arena.h"
#include "friction/islands.h"
#include "sparse/coloring.h"
#include "tests/friction_fixture.h"

#include <time.h>

/* A random graph as symmetric adjacency, loops included, and its components found by flooding. */
typedef struct graph {
    int count, components;
    int64_t *start;
    int32_t *neighbour, *component;
} graph;

static graph random_graph(uint64_t seed, int count, double edges_per_item)
{
    graph g = {.count = count};
    const size_t n = (size_t)count;
    bool *linked = calloc(n * n + 1, sizeof *linked);
    int32_t *stack = calloc(n + 1, sizeof *stack);
    g.start = calloc(n + 1, sizeof *g.start);
    g.neighbour = calloc(n * n + 1, sizeof *g.neighbour);
    g.component = calloc(n + 1, sizeof *g.component);
    assert_true(linked && stack && g.start && g.neighbour && g.component);
    cst_rng rng;
    cst_rng_seed(&rng, seed, 3);
    for (int e = 0; e < (int)(edges_per_item * count); e++) {
        const int a = cst_rng_integer(&rng, count), b = cst_rng_integer(&rng, count);
        linked[a * count + b] = linked[b * count + a] = true;
    }
    for (int i = 0; i < count; i++) {
        linked[i * count + i] = true;
        g.start[i + 1] = g.start[i];
        for (int j = 0; j < count; j++)
            if (linked[i * count + j])
                g.neighbour[g.start[i + 1]++] = j;
        g.component[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        if (g.component[i] >= 0)
            continue;
        int depth = 0;
        stack[depth++] = i;
        g.component[i] = g.components;
        while (depth > 0) {
            const int32_t item = stack[--depth];
            for (int64_t e = g.start[item]; e < g.start[item + 1]; e++)
                if (g.component[g.neighbour[e]] < 0) {
                    g.component[g.neighbour[e]] = g.components;
                    stack[depth++] = g.neighbour[e];
                }
        }
        g.components++;
    }
    free(linked);
    free(stack);
    return g;
}

static void graph_free(graph *g)
{
    free(g->start);
    free(g->neighbour);
    free(g->component);
}

/* Islands are numbered in the order of their first contact: as the flood does. */
static void test_components(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        graph g = random_graph(seed, 1 + (int)(seed * 3), 0.1 * (double)(seed % 12));
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        cst_islands islands;
        int32_t *number = CST_TAKE(&arena, int32_t, g.count), *island = CST_TAKE(&arena, int32_t, g.count);
        assert_true(cst_islands_begin(&islands, g.count, &arena));
        const bool backwards = seed % 2 == 1; /* the order of the joins does not matter */
        for (int k = 0; k < g.count; k++) {
            const int32_t i = backwards ? g.count - 1 - k : k;
            for (int64_t e = g.start[i]; e < g.start[i + 1]; e++)
                cst_islands_join(&islands, i, g.neighbour[e]);
        }
        assert_int_equal(cst_islands_number(&islands, g.count, number, island), g.components);
        assert_memory_equal(island, g.component, (size_t)g.count * sizeof *island);
        cst_arena_end(&arena);
        graph_free(&g);
    }
}

/* Neighbours differ, every item has its place, colours are few, and a colour is sorted by index. */
static void test_colouring(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        graph g = random_graph(seed, 1 + (int)(seed * 4), 0.25 * (double)(seed % 12));
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        int32_t *order = CST_TAKE(&arena, int32_t, g.count), *colour = CST_TAKE(&arena, int32_t, g.count), *start;
        const int colours = cst_coloring(g.count, g.start, g.neighbour, &arena, order, &start);
        int64_t degree = 0;
        assert_true(colours > 0 && start[0] == 0 && start[colours] == g.count);
        for (int i = 0; i < g.count; i++)
            colour[i] = -1;
        for (int c = 0; c < colours; c++) {
            assert_true(start[c] < start[c + 1]);
            for (int32_t k = start[c]; k < start[c + 1]; k++) {
                assert_in_range(order[k], 0, g.count - 1);
                assert_int_equal(colour[order[k]], -1);
                assert_true(k == start[c] || order[k - 1] < order[k]);
                colour[order[k]] = c;
            }
        }
        for (int i = 0; i < g.count; i++) {
            degree = g.start[i + 1] - g.start[i] > degree ? g.start[i + 1] - g.start[i] : degree;
            for (int64_t e = g.start[i]; e < g.start[i + 1]; e++)
                assert_true(g.neighbour[e] == i || colour[g.neighbour[e]] != colour[i]);
        }
        assert_true(colours <= degree); /* loops are counted in the degree */
        cst_arena_end(&arena);
        graph_free(&g);
    }
}

/* Islands beside each other, interleaved, have the same bits as each alone on the scale of the whole. */
static void test_islands_as_if_alone(void **state)
{
    (void)state;
    enum { PARTS = 5 };
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++)
        for (int dim = 2; dim <= 3; dim++) {
            known_problem part[PARTS];
            owned_problem all = problem_new(dim, 0, 0);
            for (int k = 0; k < PARTS; k++) {
                part[k] = known_unique((uint64_t)k + 10, (known_shape){.dim = dim, .contacts = 4 + 7 * k, .natural_order = true});
                owned_problem more = problem_side_by_side(&all.problem, &part[k].owned.problem);
                problem_free(&all);
                all = more;
            }
            cst_friction_options options = cst_friction_options_default();
            options.solver = (cst_solver)solver;
            options.tolerance = 1e-9;
            options.max_iterations = 20000;
            outcome together = solve_with_options(&all.problem, &options);
            assert_solved(&all.problem, &together, 1e-9, cst_solver_name(options.solver));
            assert_int_equal(together.report.islands, PARTS);
            options.velocity_scale = together.report.residual.velocity_scale;
            int first = 0;
            for (int k = 0; k < PARTS; k++) {
                outcome alone = solve_with_options(&part[k].owned.problem, &options);
                assert_int_equal(alone.report.islands, 1);
                const int n = part[k].owned.problem.contacts;
                if (!same_bits(alone.r, together.r + first * dim, (size_t)n * (size_t)dim))
                    fail_msg("%s, %dD: island %d is not solved as if alone", cst_solver_name(options.solver), dim, k);
                first += n;
                outcome_free(&alone);
                known_free(&part[k]);
            }
            outcome_free(&together);
            problem_free(&all);
        }
}

/* One island without solution: it is blamed, and the others are solved all the same. */
static void test_one_bad_island(void **state)
{
    (void)state;
    known_problem good = known_unique(5, (known_shape){.dim = 3, .contacts = 30});
    /* a node between two walls that approach each other: u_N0 + u_N1 = -2 whatever the impulses */
    const double W[36] = {
        1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1,
    };
    const double w[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.3, 0.3};
    owned_problem trapped = problem_from_dense(3, 2, W, w, mu, NULL);
    for (int trapped_first = 0; trapped_first < 2; trapped_first++) {
        owned_problem all = trapped_first ? problem_side_by_side(&trapped.problem, &good.owned.problem)
                                          : problem_side_by_side(&good.owned.problem, &trapped.problem);
        const int bad = trapped_first ? 0 : 30, fine = trapped_first ? 2 : 0;
        outcome out = solve_with(&all.problem, CST_SOLVER_AUTO, 1e-8, 100000);
        assert_int_equal(out.report.status, CST_NO_SOLUTION);
        assert_in_range(out.report.blamed_count, 1, 2);
        for (int k = 0; k < out.report.blamed_count; k++)
            assert_in_range(out.report.blamed[k], bad, bad + 1);
        assert_true(out.report.message[0] != '\0');
        assert_true(out.report.residual.error > 0.1);
        assert_in_range(out.report.residual.worst_contact, bad, bad + 1);
        assert_true(velocity_distance(&good.owned.problem, out.u + fine * 3, good.u) <= 1e-6);
        outcome_free(&out);
        problem_free(&all);
    }
    problem_free(&trapped);
    known_free(&good);
}

/* A million contacts that know nothing of each other: every one exact, in a few seconds. */
static void test_a_million_apart(void **state)
{
    (void)state;
    const int n = SANITIZED ? 50000 : 1000000, dim = 3;
    owned_problem many = problem_new(dim, n, n);
    double *known_r = new_doubles((size_t)n * (size_t)dim);
    cst_rng rng;
    cst_rng_seed(&rng, 9, 0);
    for (int i = 0; i < n; i++) {
        double u[3];
        many.row_start[i + 1] = i + 1;
        many.column[i] = i;
        many.mu[i] = cst_rng_range(&rng, 0.0, 1.0);
        draw_in_law(&rng, dim, many.mu[i], false, known_r + i * dim, u);
        for (int k = 0; k < dim; k++) {
            many.block[(i * dim + k) * dim + k] = 2.0; /* isotropic: the drawn answer is the only one */
            many.free_velocity[i * dim + k] = u[k] - 2.0 * known_r[i * dim + k];
        }
    }
    const clock_t start = clock(); /* of the processor: others may be at work on the machine */
    outcome out = solve_with(&many.problem, CST_SOLVER_AUTO, 1e-10, 1000);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(out.report.status, CST_SOLVED);
    assert_true(out.report.residual.error <= 1e-10);
    assert_int_equal(out.report.islands, n);
    double off = 0.0;
    for (int k = 0; k < n * dim; k++)
        off = fmax(off, fabs(out.r[k] - known_r[k]));
    assert_true(off <= 1e-9);
    print_message("%d contacts apart: %.2f s, %.0f MB\n", n, seconds, (double)out.report.memory_bytes * 1e-6);
    assert_true(SANITIZED || seconds < 5.0);
    outcome_free(&out);
    free(known_r);
    problem_free(&many);
}

/* Threads are for large islands: many small ones must not pay for them. */
static void test_small_islands_on_two_threads(void **state)
{
    (void)state;
    const int n = 3000, dim = 3;
    owned_problem many = problem_new(dim, n, n);
    double seconds[2];
    for (int i = 0; i < n; i++) {
        many.row_start[i + 1] = i + 1;
        many.column[i] = i;
        many.mu[i] = 0.3;
        for (int k = 0; k < dim; k++) {
            many.block[(i * dim + k) * dim + k] = 2.0;
            many.free_velocity[i * dim + k] = k == 0 ? -1.0 : 0.5 * k;
        }
    }
    for (int k = 0; k < 2; k++) {
        cst_friction_options options = cst_friction_options_default();
        options.threads = 1 + k;
        const clock_t start = clock();
        outcome out = solve_with_options(&many.problem, &options);
        seconds[k] = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_solved(&many.problem, &out, options.tolerance, "small islands");
        outcome_free(&out);
    }
    print_message("%d islands of one contact: %.3f s of the processor on one thread, %.3f s on two\n", n, seconds[0], seconds[1]);
    assert_true(SANITIZED || seconds[1] <= 4.0 * seconds[0] + 0.1);
    problem_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components),          cmocka_unit_test(test_colouring),
        cmocka_unit_test(test_islands_as_if_alone), cmocka_unit_test(test_one_bad_island),
        cmocka_unit_test(test_a_million_apart),     cmocka_unit_test(test_small_islands_on_two_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
