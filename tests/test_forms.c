/* The forms of a body problem against dense algebra: factors, half solves, the assembled W, the product coupling, colours. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction/assemble.h"
#include "friction/body_check.h"
#include "friction/product.h"
#include "friction/rows.h"
#include "sparse/coloring.h"
#include "sparse/coloring_incidence.h"
#include "tests/body_problems.h"

enum { SEEDS = 12 };

static test_bodies *make(uint64_t seed, int dim, int kinds)
{
    return test_bodies_make(
        seed, &(test_bodies_options){
                  .dim = dim, .kinds = kinds, .bodies = 5, .contacts = 14, .mu = 0.4, .bilateral = 0.1, .same_body = true});
}

static void assert_near(const double *a, const double *b, int count, double scale)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= 1e-12 * scale))
            fail_msg("entry %d: %.17g, not %.17g (scale %g)", k, a[k], b[k], scale);
}

static double largest(const double *a, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k]));
    return most;
}

/* ------------------------------------------------------------------------------------------------------------- assembled */

static void check_assembled(const test_bodies *made, const cst_friction_problem *W)
{
    const int dim = made->problem.dim, n = made->problem.contacts, m = dim * n;
    const double scale = largest(made->W, m * m);
    double *dense = calloc((size_t)m * (size_t)m, sizeof *dense);
    for (int i = 0; i < n; i++) {
        bool diagonal = false;
        for (int64_t e = W->row_start[i]; e < W->row_start[i + 1]; e++) {
            const int j = W->column[e];
            if (e > W->row_start[i])
                assert_true(j > W->column[e - 1]);
            diagonal |= i == j;
            for (int row = 0; row < dim; row++)
                for (int c = 0; c < dim; c++)
                    dense[(i * dim + row) * m + j * dim + c] = W->block[(e * dim + row) * dim + c];
        }
        assert_true(diagonal);
    }
    assert_near(dense, made->W, m * m, scale);
    assert_near(W->free_velocity, made->w, m, largest(made->w, m));
    for (int i = 0; i < n; i++)
        assert_true(W->mu[i] == made->problem.mu[i] && (!W->law || W->law[i] == made->problem.law[i]));
    free(dense);
}

static void test_assemble_is_dense_elimination(void **state)
{
    (void)state;
    const int kinds[] = {TEST_DENSE, TEST_BAND, TEST_SOLVE, TEST_NODAL, TEST_ALL};
    for (int k = 0; k < 5; k++)
        for (int dim = 2; dim <= 3; dim++)
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                test_bodies *made = make(seed, dim, kinds[k]);
                cst_friction_problem W;
                char message[256] = "";
                cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message);
                assert_non_null(assembled);
                check_assembled(made, &W);
                cst_assembled_free(assembled);
                test_bodies_free(made);
            }
}

static void test_assembled_is_symmetric_to_the_bit(void **state)
{
    (void)state;
    test_bodies *made = make(3, 3, TEST_DENSE | TEST_BAND | TEST_NODAL);
    cst_friction_problem W;
    char message[256];
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message);
    assert_non_null(assembled);
    for (int i = 0; i < W.contacts; i++)
        for (int64_t e = W.row_start[i]; e < W.row_start[i + 1]; e++) {
            int64_t back = W.row_start[W.column[e]];
            while (W.column[back] != i)
                back++;
            for (int row = 0; row < 3; row++)
                for (int c = 0; c < 3; c++)
                    assert_true(W.block[e * 9 + row * 3 + c] == W.block[back * 9 + c * 3 + row]);
        }
    cst_assembled_free(assembled);
    test_bodies_free(made);
}

/* --------------------------------------------------------------------------------------------------------------- product */

typedef struct packed {
    test_bodies *made;
    cst_arena arena;
    cst_bodies bodies;
    cst_system system;
    int32_t *order;
    double *root; /* sqrt(w_i) in system order */
} packed;

static const double V = 0.7;

/* Contacts in an order of their own, so that a mix-up of the two orders shows. */
static void pack(packed *p, uint64_t seed, int dim, int kinds)
{
    char message[256] = "";
    p->made = make(seed, dim, kinds);
    const int n = p->made->problem.contacts;
    cst_arena_begin(&p->arena, NULL);
    p->system = (cst_system){.threads = 1};
    p->order = CST_TAKE(&p->arena, int32_t, n);
    for (int k = 0; k < n; k++)
        p->order[k] = (5 * k + 3) % n;
    p->system.colour_start = CST_TAKE(&p->arena, int32_t, 1);
    assert_int_equal(cst_body_problem_check(&p->made->problem, 1, message, sizeof message), CST_SOLVED);
    assert_int_equal(
        cst_bodies_factor(&p->made->problem, CST_BODIES_WITH_NODAL, 1, &p->arena, &p->bodies, message, sizeof message),
        CST_SOLVED);
    assert_int_equal(cst_product_pack(&p->bodies, p->order, V, &p->arena, &p->system, NULL, message, sizeof message), CST_SOLVED);
    p->root = CST_TAKE(&p->arena, double, n);
    for (int k = 0; k < n; k++)
        p->root[k] = p->system.weight[k] * V;
}

static void unpack(packed *p)
{
    cst_arena_end(&p->arena);
    test_bodies_free(p->made);
}

/* A_ij in system order by dense elimination. */
static void dense_block(const packed *p, int i, int j, double *block)
{
    const int dim = p->made->problem.dim, m = dim * p->made->problem.contacts;
    for (int row = 0; row < dim; row++)
        for (int c = 0; c < dim; c++)
            block[row * dim + c] = p->made->W[(p->order[i] * dim + row) * m + p->order[j] * dim + c] / (p->root[i] * p->root[j]);
}

static void check_diagonal(const packed *p)
{
    const int dim = p->system.dim;
    for (int i = 0; i < p->system.contacts; i++) {
        double block[9], trace = 0;
        const double *a = p->system.diagonal + i * dim * dim;
        dense_block(p, i, i, block);
        assert_near(a, block, dim * dim, 1);
        for (int c = 0; c < dim; c++)
            trace += a[c * (dim + 1)];
        assert_true(fabs(trace - dim) < 1e-12);
        for (int c = 0; c < dim; c++)
            assert_true(fabs(p->system.b[i * dim + c] * p->root[i] - p->made->w[p->order[i] * dim + c]) < 1e-11);
        assert_true(p->system.mu[i] == p->made->problem.mu[p->order[i]]);
    }
}

/* chosen (count) contacts of the system make up `part`, which may be all of it. */
static void check_coupling(const packed *p, cst_system *part, const int32_t *chosen, int count)
{
    const int dim = part->dim;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 5);
    double *x = calloc((size_t)count * (size_t)dim, sizeof *x), *moved = calloc((size_t)count * (size_t)dim, sizeof *x);
    double *expected = calloc((size_t)count * (size_t)dim, sizeof *x), block[9];
    for (int k = 0; k < count * dim; k++)
        x[k] = k / dim % 3 == 0 ? 0 : cst_rng_normal(&rng);
    for (int i = 0; i < count; i++)
        for (int row = 0; row < dim; row++) {
            expected[i * dim + row] = p->system.b[chosen[i] * dim + row];
            for (int j = 0; j < count; j++) {
                if (j == i)
                    continue;
                dense_block(p, chosen[i], chosen[j], block);
                for (int c = 0; c < dim; c++)
                    expected[i * dim + row] += block[row * dim + c] * x[j * dim + c];
            }
        }
    for (int way = 0; way < 2; way++) {
        if (way == 0) { /* all at once */
            part->coupling->begin(part, x);
        } else { /* contact by contact, with a detour */
            part->coupling->begin(part, moved);
            for (int i = count - 1; i >= 0; i--)
                for (int step = 0; step < 2; step++) {
                    double dx[3];
                    for (int c = 0; c < dim; c++)
                        dx[c] = (step == 0 ? -0.5 : 1.5) * x[i * dim + c];
                    part->coupling->moved(part, i, dx);
                }
        }
        for (int i = 0; i < count; i++) {
            double beta[3];
            part->coupling->off_diagonal(part, i, x, beta);
            assert_near(beta, expected + i * dim, dim, 10);
        }
    }
    for (int i = 0; i < count; i++) {
        const int length = part->coupling->row_length(part, i);
        int32_t column[64];
        double blocks[64 * 9], row[3] = {0};
        assert_in_range(length, 0, count - 1);
        part->coupling->row(part, i, column, blocks);
        for (int e = 0; e < length; e++) {
            assert_true(column[e] != i);
            dense_block(p, chosen[i], chosen[column[e]], block);
            assert_near(blocks + e * dim * dim, block, dim * dim, 1);
            for (int a = 0; a < dim; a++)
                for (int c = 0; c < dim; c++)
                    row[a] += blocks[(e * dim + a) * dim + c] * x[column[e] * dim + c];
        }
        for (int a = 0; a < dim; a++) /* no block is missing */
            assert_true(fabs(row[a] + p->system.b[chosen[i] * dim + a] - expected[i * dim + a]) < 1e-11);
    }
    free(x);
    free(moved);
    free(expected);
}

static void test_product_is_dense_elimination(void **state)
{
    (void)state;
    const int kinds[] = {TEST_DENSE, TEST_BAND, TEST_SOLVE, TEST_NODAL, TEST_ALL};
    for (int k = 0; k < 5; k++)
        for (int dim = 2; dim <= 3; dim++)
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                packed p;
                int32_t all[64];
                pack(&p, 100 + seed, dim, kinds[k]);
                for (int i = 0; i < p.system.contacts; i++)
                    all[i] = i;
                check_diagonal(&p);
                check_coupling(&p, &p.system, all, p.system.contacts);
                assert_true(p.system.coupling->bytes_per_sweep(&p.system) > 0);
                unpack(&p);
            }
}

static void test_restricted_product(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        packed p;
        cst_system part, part_of_part;
        const int32_t chosen[] = {1, 2, 5, 6, 8, 11, 13}, again[] = {0, 2, 3, 6}, both[] = {1, 5, 6, 13};
        pack(&p, 200 + seed, 3, TEST_ALL);
        assert_true(cst_system_restrict(&p.system, chosen, 7, &p.arena, &part));
        check_coupling(&p, &part, chosen, 7);
        assert_true(cst_system_restrict(&part, again, 4, &p.arena, &part_of_part));
        check_coupling(&p, &part_of_part, both, 4);
        unpack(&p);
    }
}

/* Same problem through both couplings: the systems agree entry by entry. */
static void test_product_and_rows_are_one_system(void **state)
{
    (void)state;
    packed p;
    cst_friction_problem W;
    cst_system rows = {.threads = 1};
    char message[256];
    pack(&p, 4, 3, TEST_ALL);
    const int size = 3 * p.system.contacts;
    assert_int_equal(cst_assemble(&p.bodies, 1, &p.arena, &W, message, sizeof message), CST_SOLVED);
    rows.colour_start = p.system.colour_start;
    assert_true(cst_rows_pack(&W, p.order, V, &p.arena, &rows));
    double x[64], y_rows[64], y_product[64];
    for (int k = 0; k < size; k++)
        x[k] = sin(k);
    cst_system_multiply(&rows, x, y_rows);
    cst_system_multiply(&p.system, x, y_product);
    assert_near(y_product, y_rows, size, 10);
    assert_near(p.system.weight, rows.weight, p.system.contacts, 10);
    unpack(&p);
}

/* -------------------------------------------------------------------------------------------------------------- colouring */

static int colour_and_check(int items, int groups, const int32_t *group)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    int32_t *colour = CST_TAKE(&arena, int32_t, items);
    uint8_t *seen = CST_TAKE(&arena, uint8_t, (size_t)groups * (size_t)(items + 1));
    const int colours = cst_colour_incidence(items, groups, group, &arena, colour);
    for (int i = 0; i < items; i++) {
        assert_in_range(colour[i], 0, colours - 1);
        for (int s = 0; s < 2; s++) {
            const int g = group[2 * i + s];
            if (g < 0 || (s == 1 && g == group[2 * i]))
                continue;
            assert_int_equal(seen[g * (items + 1) + colour[i]], 0);
            seen[g * (items + 1) + colour[i]] = 1;
        }
    }
    cst_arena_end(&arena);
    return colours;
}

static void test_colours_share_no_body(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        enum { ITEMS = 700, GROUPS = 60 };
        cst_rng rng;
        int32_t group[2 * ITEMS];
        int size[GROUPS] = {0}, most = 0;
        cst_rng_seed(&rng, seed, 1);
        for (int k = 0; k < 2 * ITEMS; k++) {
            const bool busy = seed % 2 == 1 && cst_rng_uniform(&rng) < 0.2; /* one body that touches nearly all others */
            group[k] = busy ? 7 : cst_rng_integer(&rng, GROUPS + 4) - 4;
            if (group[k] < 0)
                group[k] = -1;
        }
        for (int k = 0; k < 2 * ITEMS; k++)
            if (group[k] >= 0 && !(k % 2 == 1 && group[k] == group[k - 1]) && ++size[group[k]] > most)
                most = size[group[k]];
        const int colours = colour_and_check(ITEMS, GROUPS, group);
        assert_in_range(colours, most, 2 * most - 1);
    }
    assert_int_equal(colour_and_check(0, 3, NULL), 0);
}

/* ---------------------------------------------------------------------------------------------------------------- memory */

typedef struct failing {
    int allowed;
    int taken;
} failing;

static void *failing_acquire(void *user, size_t bytes)
{
    failing *left = user;
    return left->taken++ < left->allowed ? malloc(bytes) : NULL;
}

static void failing_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void test_every_allocation_failed_in_turn(void **state)
{
    (void)state;
    test_bodies *made = test_bodies_make(
        7, &(test_bodies_options){.dim = 3, .kinds = TEST_ALL, .bodies = 40, .contacts = 150, .mu = 0.3, .same_body = true});
    bool finished = false;
    int tried = 0;
    for (; !finished; tried++) {
        failing left = {.allowed = tried};
        const cst_allocator allocator = {failing_acquire, failing_release, &left};
        cst_friction_problem W;
        char message[256] = "";
        cst_assembled *assembled = cst_friction_assemble(&made->problem, &allocator, &W, message, sizeof message);
        finished = assembled != NULL;
        if (!finished)
            assert_string_equal(message, "out of memory");
        cst_assembled_free(assembled);
    }
    assert_true(tried > 3);

    finished = false;
    for (tried = 0; !finished; tried++) {
        failing left = {.allowed = tried};
        const cst_allocator allocator = {failing_acquire, failing_release, &left};
        cst_arena arena;
        cst_bodies bodies;
        cst_system system = {.threads = 1}, part;
        char message[256] = "";
        int32_t chosen[75], colour[150], group[300];
        for (int k = 0; k < 75; k++)
            chosen[k] = 2 * k;
        for (int k = 0; k < 150; k++) {
            group[2 * k] = made->problem.side_a[k].body;
            group[2 * k + 1] = made->problem.side_b[k].body;
        }
        cst_arena_begin(&arena, &allocator);
        system.colour_start = CST_TAKE(&arena, int32_t, 1);
        finished =
            cst_colour_incidence(150, 40, group, &arena, colour) > 0 &&
            cst_bodies_factor(&made->problem, CST_BODIES_WITH_NODAL, 1, &arena, &bodies, message, sizeof message) == CST_SOLVED &&
            cst_product_pack(&bodies, NULL, 1, &arena, &system, NULL, message, sizeof message) == CST_SOLVED &&
            cst_system_restrict(&system, chosen, 75, &arena, &part);
        assert_true(finished || arena.failed);
        cst_arena_end(&arena);
    }
    assert_true(tried > 3);
    test_bodies_free(made);
}

static void test_no_contacts(void **state)
{
    (void)state;
    test_bodies *made = test_bodies_make(8, &(test_bodies_options){.dim = 3, .kinds = TEST_ALL, .bodies = 4, .contacts = 0});
    cst_friction_problem W;
    char message[256] = "";
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message);
    assert_non_null(assembled);
    assert_int_equal(W.contacts, 0);
    assert_int_equal(W.row_start[0], 0);
    cst_assembled_free(assembled);
    test_bodies_free(made);
}

/* Nobody on either side: the row is there, and zero. */
static void test_contact_between_obstacles(void **state)
{
    (void)state;
    test_bodies *made = make(9, 3, TEST_DENSE);
    cst_contact_side *a = (cst_contact_side *)(uintptr_t)made->problem.side_a,
                     *b = (cst_contact_side *)(uintptr_t)made->problem.side_b;
    a[4] = b[4] = (cst_contact_side){.body = -1};
    cst_friction_problem W;
    char message[256] = "";
    cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message);
    assert_non_null(assembled);
    assert_int_equal(W.row_start[5] - W.row_start[4], 1);
    assert_int_equal(W.column[W.row_start[4]], 4);
    for (int e = 0; e < 9; e++)
        assert_true(W.block[9 * W.row_start[4] + e] == 0);
    cst_assembled_free(assembled);
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assemble_is_dense_elimination),   cmocka_unit_test(test_assembled_is_symmetric_to_the_bit),
        cmocka_unit_test(test_product_is_dense_elimination),    cmocka_unit_test(test_restricted_product),
        cmocka_unit_test(test_product_and_rows_are_one_system), cmocka_unit_test(test_colours_share_no_body),
        cmocka_unit_test(test_every_allocation_failed_in_turn), cmocka_unit_test(test_no_contacts),
        cmocka_unit_test(test_contact_between_obstacles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
