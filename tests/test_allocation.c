/* Memory: every allocation failed in turn ends in CST_OUT_OF_MEMORY with the caller's arrays untouched and nothing leaked; what is
 * given back is what was asked for; sweeps allocate nothing. */
#include "tests/friction_fixture.h"

/* Fails the request number fail_at (from 0; -1: none) and every one after it, or only that one. */
typedef struct meter {
    long requests, fail_at;
    bool only_once;
    size_t held;
    long blocks;
    bool mismatched;
} meter;

/* The size is kept in front of the memory. */
enum { HEADER = 64 };

static void *meter_acquire(void *user, size_t bytes)
{
    meter *m = user;
    const long number = m->requests++;
    if (m->fail_at >= 0 && (m->only_once ? number == m->fail_at : number >= m->fail_at))
        return NULL;
    unsigned char *memory = malloc(bytes + HEADER);
    if (!memory)
        abort();
    memcpy(memory, &bytes, sizeof bytes);
    memset(memory + HEADER, 0xa5, bytes); /* nobody may count on zeros */
    m->held += bytes;
    m->blocks++;
    return memory + HEADER;
}

static void meter_release(void *user, void *memory, size_t bytes)
{
    meter *m = user;
    if (!memory)
        return;
    unsigned char *start = (unsigned char *)memory - HEADER;
    size_t asked;
    memcpy(&asked, start, sizeof asked);
    m->mismatched = m->mismatched || asked != bytes;
    m->held -= asked;
    m->blocks--;
    free(start);
}

static void assert_clean(const meter *m, const char *name)
{
    if (m->held != 0 || m->blocks != 0 || m->mismatched)
        fail_msg("%s, request %ld failed: %zu bytes in %ld blocks not given back%s", name, m->fail_at, m->held, m->blocks,
                 m->mismatched ? ", and a size that was not asked for" : "");
}

/* Coloured (> 2000 contacts), in islands, W not symmetric in values nor in pattern. */
static owned_problem awkward(int dim, int largest)
{
    owned_problem all = problem_new(dim, 0, 0);
    const int sizes[] = {largest, 40, 1, 7, 1};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        known_problem part =
            known_unique(200 + k, (known_shape){.dim = dim, .contacts = sizes[k], .bilateral = 0.05, .natural_order = true});
        owned_problem more = problem_side_by_side(&all.problem, &part.owned.problem);
        problem_free(&all);
        known_free(&part);
        all = more;
    }
    /* the last block of row 5 goes, the first of row 6 is shaken */
    for (int64_t e = all.row_start[6] - 1; e < all.row_start[all.problem.contacts] - 1; e++) {
        all.column[e] = all.column[e + 1];
        memmove(all.block + e * dim * dim, all.block + (e + 1) * dim * dim, (size_t)dim * (size_t)dim * sizeof(double));
    }
    for (int i = 6; i <= all.problem.contacts; i++)
        all.row_start[i]--;
    all.block[all.row_start[6] * dim * dim] += 0.01;
    return all;
}

/* Fails request after request until the solve goes through. Returns how many requests it makes. */
static long fail_each(const cst_friction_problem *p, cst_friction_options options, bool only_once, long stride, const char *name)
{
    const size_t size = (size_t)p->contacts * (size_t)p->dim;
    double *r = new_doubles(size), *u = new_doubles(size), *r_before = new_doubles(size), *u_before = new_doubles(size);
    cst_friction_report report;
    for (size_t k = 0; k < size; k++) {
        r_before[k] = 1e-3 * (double)(k % 7);
        u_before[k] = -1.0 - (double)k;
    }
    long failures = 0;
    meter m;
    for (long k = 0;; k += stride) {
        m = (meter){.fail_at = k, .only_once = only_once};
        options.allocator = (cst_allocator){meter_acquire, meter_release, &m};
        memcpy(r, r_before, size * sizeof(double));
        memcpy(u, u_before, size * sizeof(double));
        const cst_status status = cst_friction_solve(p, &options, r, u, &report);
        assert_clean(&m, name);
        assert_int_equal(status, report.status);
        if (status != CST_OUT_OF_MEMORY) {
            /* it went through: either nothing was failed, or the solver could do without */
            if (status != CST_SOLVED || !(judge(p, r, 0.0).alart_curnier <= options.tolerance * 1.001 || options.symmetrise))
                fail_msg("%s, request %ld failed: %s", name, k, cst_status_name(status));
            if (m.requests <= k)
                break;
            continue;
        }
        failures++;
        if (!same_bits(r, r_before, size) || !same_bits(u, u_before, size))
            fail_msg("%s, request %ld failed: an output was written", name, k);
    }
    assert_true(failures > 0);
    free(r);
    free(u);
    free(r_before);
    free(u_before);
    return m.requests;
}

static void test_every_allocation_failed(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        owned_problem large = awkward(dim, 2200);
        for (int symmetrise = 0; symmetrise < 2; symmetrise++) {
            cst_friction_options options = cst_friction_options_default();
            options.symmetrise = symmetrise != 0;
            const long requests = fail_each(&large.problem, options, false, 1, "auto, coloured, islands");
            fail_each(&large.problem, options, true, 1, "auto, coloured, islands, one failure");
            print_message("auto in %dD, %d contacts%s: %ld requests, each failed\n", dim, large.problem.contacts,
                          symmetrise ? ", symmetrised" : "", requests);
        }
        problem_free(&large);
    }
}

static void test_every_solver(void **state)
{
    (void)state;
    owned_problem small = awkward(3, 300);
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        cst_friction_options options = cst_friction_options_default();
        options.solver = (cst_solver)solver;
        const long requests = fail_each(&small.problem, options, false, 1, cst_solver_name(options.solver));
        fail_each(&small.problem, options, true, 1, cst_solver_name(options.solver));
        print_message("%s: %ld requests, each failed\n", cst_solver_name(options.solver), requests);
    }
    problem_free(&small);
}

/* A problem that `auto` has to work for: the later stages allocate too. */
static void test_hard_problem(void **state)
{
    (void)state;
    /* the same contacts twice with mu 2: singular, cycling */
    enum { N = 15, M = 2 * N * 3 };
    static double W[M * M], w[M], mu[2 * N];
    known_problem known = known_unique(300, (known_shape){.dim = 3, .contacts = N});
    const cst_friction_problem *p = &known.owned.problem;
    for (int i = 0; i < 2 * N; i++) {
        mu[i] = 2.0;
        memcpy(w + i * 3, p->free_velocity + i % N * 3, 3 * sizeof(double));
        for (int64_t e = p->row_start[i % N]; e < p->row_start[i % N + 1]; e++)
            for (int again = 0; again < 2; again++)
                for (int k = 0; k < 9; k++)
                    W[(i * 3 + k / 3) * M + (p->column[e] + again * N) * 3 + k % 3] = p->block[e * 9 + k];
    }
    owned_problem hard = problem_from_dense(3, 2 * N, W, w, mu, NULL);
    cst_friction_options options = cst_friction_options_default();
    options.tolerance = 1e-9;
    fail_each(&hard.problem, options, false, 1, "auto, singular");
    problem_free(&hard);
    known_free(&known);
}

/* Requests made by a run of so many iterations that never converges. */
static meter run_sweeps(const cst_friction_problem *p, cst_solver solver, int threads, int iterations, size_t *memory)
{
    meter m = {.fail_at = -1};
    cst_friction_options options = cst_friction_options_default();
    options.solver = solver;
    options.tolerance = 1e-300;
    options.threads = threads;
    options.max_iterations = iterations;
    options.allocator = (cst_allocator){meter_acquire, meter_release, &m};
    outcome out = solve_with_options(p, &options);
    assert_int_equal(out.report.iterations, iterations);
    *memory = out.report.memory_bytes;
    outcome_free(&out);
    assert_clean(&m, cst_solver_name(solver));
    return m;
}

/* Ten sweeps or a hundred: the same number of requests, and the same memory. */
static void test_sweeps_allocate_nothing(void **state)
{
    (void)state;
    static const cst_solver SWEEPING[] = {CST_SOLVER_GAUSS_SEIDEL, CST_SOLVER_PROJECTED_GAUSS_SEIDEL,
                                          CST_SOLVER_PROJECTED_GRADIENT, CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL};
    static const int SIZES[] = {300, 2500};
    for (size_t s = 0; s < sizeof SWEEPING / sizeof SWEEPING[0]; s++)
        for (size_t k = 0; k < sizeof SIZES / sizeof SIZES[0]; k++) {
            known_problem known = known_unique(400, (known_shape){.dim = 3, .contacts = SIZES[k], .natural_order = true});
            size_t memory_few, memory_many;
            const meter few = run_sweeps(&known.owned.problem, SWEEPING[s], 1 + (int)k, 10, &memory_few);
            const meter many = run_sweeps(&known.owned.problem, SWEEPING[s], 1 + (int)k, 100, &memory_many);
            assert_true(few.requests > 0);
            assert_int_equal(few.requests, many.requests);
            assert_int_equal(memory_few, memory_many);
            known_free(&known);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_failed),
        cmocka_unit_test(test_every_solver),
        cmocka_unit_test(test_hard_problem),
        cmocka_unit_test(test_sweeps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
