/* Contacts that pinch a body between them are solved jointly in a sweep (friction/cluster.h), on a chain with clusters
 * (tests/pinched_chain.h). */
#include "friction/cluster.h"
#include "friction/product.h"
#include "friction/rows.h"
#include "friction/sweep.h"
#include "tests/friction_fixture.h"
#include "tests/pinched_chain.h"

enum { LENGTH = 100, SWEEPS = 12 };
static const double PROXIMAL = 1e-4;

typedef struct swept {
    cst_pinched_chain chain;
    cst_friction_problem problem;
    cst_assembled *assembled;
    cst_arena arena;
    cst_system system;
    double *x, *y, *solution;
} swept;

/* The chain with its solution, and an iterate in which the impulses of the ground under the light balls that carry heavy ones are
 * wrong. */
static void begin(swept *s)
{
    char message[256] = "";
    *s = (swept){.chain = cst_pinched_chain_new(LENGTH), .system = {.threads = 1}};
    s->assembled = cst_friction_assemble(&s->chain.problem, NULL, &s->problem, message, sizeof message);
    assert_non_null(s->assembled);
    const size_t size = 3 * (size_t)s->problem.contacts;
    s->x = new_doubles(size);
    s->y = new_doubles(size);
    s->solution = new_doubles(size);
    const cst_friction_report report = cst_pinched_chain_solve(&s->chain, CST_FORM_EXPLICIT, 1e-11, 1, s->solution);
    assert_int_equal(report.status, CST_SOLVED);
    cst_arena_begin(&s->arena, NULL);
    assert_true(cst_rows_pack(&s->problem, NULL, report.residual.velocity_scale, &s->arena, &s->system));
    for (size_t k = 0; k < size; k++)
        s->solution[k] *= s->system.weight[k / 3] * report.residual.velocity_scale;
    memcpy(s->x, s->solution, size * sizeof *s->x);
    for (int i = 5; i < LENGTH; i += 10)
        for (int e = 0; e < 3; e++)
            s->x[3 * i + e] *= 1.2;
    cst_system_multiply(&s->system, s->x, s->y);
}

static void end(swept *s)
{
    cst_arena_end(&s->arena);
    free(s->x);
    free(s->y);
    free(s->solution);
    cst_assembled_free(s->assembled);
    cst_pinched_chain_free(&s->chain);
}

/* Returns the error after some sweeps from the wrong impulses. */
static double error_after(swept *s, cst_clusters *clusters)
{
    const size_t size = 3 * (size_t)s->problem.contacts;
    const cst_local_choice local = {.solver = CST_LOCAL_DIRECT};
    double *x = new_doubles(size), *y = new_doubles(size);
    cst_sweeper sweeper;
    memcpy(x, s->x, size * sizeof *x);
    assert_true(cst_sweeper_begin(&sweeper, &s->system, local, PROXIMAL, &s->arena));
    sweeper.clusters = clusters;
    for (int k = 0; k < SWEEPS; k++)
        cst_sweep(&sweeper, x, NULL);
    cst_system_multiply(&s->system, x, y);
    const double error = cst_system_error(&s->system, x, y, false);
    free(x);
    free(y);
    return error;
}

/* The clusters are where the error is, no contact is in two of them, and sweeps that solve them jointly converge faster. */
static void test_sweeps(void **state)
{
    (void)state;
    swept s;
    cst_clusters clusters;
    begin(&s);
    assert_true(cst_clusters_find(&s.system, PROXIMAL, s.x, s.y, &s.arena, &clusters));
    assert_true(clusters.count > 0 && clusters.colours == 1);
    int in = 0, members = 0;
    for (int i = 0; i < s.system.contacts; i++)
        in += clusters.in[i];
    for (int at = 0; at < clusters.count; at++) {
        const cst_cluster *cluster = clusters.cluster + at;
        members += cluster->contacts;
        assert_true(cluster->contacts >= 2 && cluster->contacts <= CST_CLUSTER_MAX);
        for (int a = 0; a < cluster->contacts; a++) {
            assert_true(clusters.in[cluster->contact[a]] == 1);
            assert_true(a == 0 || cluster->contact[a] > cluster->contact[a - 1]);
        }
    }
    assert_int_equal(in, members);
    const double start = cst_system_error(&s.system, s.x, s.y, false);
    const double alone = error_after(&s, NULL), jointly = error_after(&s, &clusters);
    print_message("%d clusters; error %.2g, after %d sweeps %.2g alone, %.2g jointly\n", clusters.count, start, SWEEPS, alone,
                  jointly);
    assert_true(jointly < 0.1 * alone);
    end(&s);
}

/* At the solution nothing is wrong by more than rounding; a visit leaves the impulses where they are. */
static void test_solution_stays(void **state)
{
    (void)state;
    swept s;
    cst_clusters clusters;
    begin(&s);
    assert_true(cst_clusters_find(&s.system, PROXIMAL, s.x, s.y, &s.arena, &clusters));
    memcpy(s.x, s.solution, 3 * (size_t)s.problem.contacts * sizeof *s.x);
    cst_sweeper sweeper;
    const cst_local_choice local = {.solver = CST_LOCAL_DIRECT};
    assert_true(cst_sweeper_begin(&sweeper, &s.system, local, PROXIMAL, &s.arena));
    cst_local_count count = {0};
    double largest = 0.0;
    for (int k = 0; k < 3 * s.problem.contacts; k++)
        largest = fmax(largest, fabs(s.solution[k]));
    for (int at = 0; at < clusters.count; at++)
        assert_true(cst_cluster_visit(&s.system, clusters.cluster + at, PROXIMAL, &local, sweeper.prepared, s.x, &count) <=
                    1e-10);
    for (int k = 0; k < 3 * s.problem.contacts; k++)
        assert_true(fabs(s.x[k] - s.solution[k]) <= 1e-6 * largest);
    end(&s);
}

static void compare_blocks(const cst_system *system)
{
    int32_t *column = calloc((size_t)system->contacts, sizeof *column);
    double *block = new_doubles(9 * (size_t)system->contacts), one[9];
    for (int i = 0; i < system->contacts; i++) {
        const int length = system->coupling->row(system, i, column, block);
        assert_int_equal(length, system->coupling->row_length(system, i));
        for (int k = 0; k < length; k++) {
            system->coupling->block(system, i, column[k], one);
            assert_memory_equal(one, block + 9 * k, sizeof one);
        }
    }
    system->coupling->block(system, 0, LENGTH, one); /* the ground under the first and the last ball: no body in common */
    for (int e = 0; e < 9; e++)
        assert_true(one[e] == 0.0);
    free(column);
    free(block);
}

/* A single block is that of its row, whether the Delassus matrix is stored or not. */
static void test_blocks(void **state)
{
    (void)state;
    swept s;
    char message[256] = "";
    cst_bodies bodies;
    cst_system product = {.threads = 1};
    begin(&s);
    compare_blocks(&s.system);
    assert_int_equal(cst_bodies_factor(&s.chain.problem, CST_BODIES_WITH_NODAL, 1, &s.arena, &bodies, message, sizeof message),
                     CST_SOLVED);
    assert_int_equal(cst_product_pack(&bodies, NULL, 1.0, &s.arena, &product, NULL, message, sizeof message), CST_SOLVED);
    compare_blocks(&product);
    end(&s);
}

static void *refuse(void *user, size_t bytes)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(bytes) : NULL;
}

static void give_back(void *user, void *block, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(block);
}

/* Every request of memory fails in turn. */
static void test_memory(void **state)
{
    (void)state;
    swept s;
    begin(&s);
    for (int allowed = 0;; allowed++) {
        int left = allowed;
        cst_arena arena;
        cst_clusters clusters;
        const cst_allocator allocator = {refuse, give_back, &left};
        cst_arena_begin(&arena, &allocator);
        const bool found = cst_clusters_find(&s.system, PROXIMAL, s.x, s.y, &arena, &clusters);
        assert_int_equal(found, !arena.failed);
        cst_arena_end(&arena);
        if (found)
            break;
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps),
        cmocka_unit_test(test_solution_stays),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
