/* A body problem as a global one: M and H against the dense matrices that the bodies were made from, through a file and back. */
#include "exchange_fixture.h"
#include "tests/body_problems.h"

#include <math.h>

static double entry(const cst_csr *matrix, int row, int column)
{
    for (int64_t k = matrix->row_start[row]; k < matrix->row_start[row + 1]; k++)
        if (matrix->column[k] == column)
            return matrix->value[k];
    return 0.0;
}

static void check(const cst_global_problem *global, const test_bodies *made)
{
    const int m = made->problem.dim * made->problem.contacts;
    assert_int_equal(global->dofs, made->dofs);
    assert_int_equal(global->contacts, made->problem.contacts);
    for (int i = 0; i < made->dofs; i++) {
        for (int j = 0; j < made->dofs; j++)
            assert_true(entry(&global->mass, i, j) == made->A[i * made->dofs + j]);
        for (int j = 0; j < m; j++)
            assert_true(fabs(entry(&global->jacobian, i, j) - made->H[j * made->dofs + i]) <= 1e-15);
    }
}

static void test_matrices(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const test_bodies_options options = {.dim = 2 + (int)(seed % 2),
                                             .kinds = TEST_DENSE | TEST_BAND | TEST_NODAL,
                                             .bodies = 4,
                                             .contacts = 9,
                                             .mu = 0.4,
                                             .same_body = seed % 3 == 0};
        test_bodies *made = test_bodies_make(seed, &options);
        cst_arena arena, scratch;
        cst_arena_begin(&arena, NULL);
        cst_arena_begin(&scratch, NULL);
        cst_global_problem global;
        char message[256] = "";
        if (!cst_global_from_bodies(&made->problem, &arena, &scratch, &global, message, sizeof message))
            fail_msg("%s", message);
        check(&global, made);
        double *guess = calloc((size_t)(options.dim * options.contacts), sizeof *guess);
        guess[1] = 2.5;
        const char *path = scratch_path("bodies.hdf5");
        assert_true(cst_fclib_write_global(path, &global, CST_FCLIB_CSR, guess, "bodies", NULL, message, sizeof message));
        cst_problem_file *file = get_file(path);
        assert_true(file->has_global);
        check(&file->global, made);
        assert_true(file->guess && file->guess[1] == 2.5);
        cst_problem_file_free(file);
        free(guess);
        cst_arena_end(&scratch);
        cst_arena_end(&arena);
        test_bodies_free(made);
    }
}

/* Who solves for himself has no matrix to write. */
static void test_refused(void **state)
{
    (void)state;
    const test_bodies_options options = {.dim = 3, .kinds = TEST_SOLVE, .bodies = 2, .contacts = 3, .mu = 0.4};
    test_bodies *made = test_bodies_make(1, &options);
    cst_arena arena, scratch;
    cst_arena_begin(&arena, NULL);
    cst_arena_begin(&scratch, NULL);
    cst_global_problem global;
    char message[256] = "";
    assert_false(cst_global_from_bodies(&made->problem, &arena, &scratch, &global, message, sizeof message));
    assert_non_null(strstr(message, "no M"));
    cst_arena_end(&scratch);
    cst_arena_end(&arena);
    test_bodies_free(made);
}

static void test_memory(void **state)
{
    (void)state;
    const test_bodies_options options = {.dim = 3, .kinds = TEST_DENSE, .bodies = 3, .contacts = 6, .mu = 0.4};
    test_bodies *made = test_bodies_make(2, &options);
    bool done = false;
    for (long fail_at = 1; !done; fail_at++) {
        watched_allocator watched;
        watched_begin(&watched, fail_at);
        cst_arena arena, scratch;
        cst_arena_begin(&arena, &watched.allocator);
        cst_arena_begin(&scratch, &watched.allocator);
        cst_global_problem global;
        char message[256] = "";
        done = cst_global_from_bodies(&made->problem, &arena, &scratch, &global, message, sizeof message);
        assert_true(done || strcmp(message, "out of memory") == 0);
        cst_arena_end(&scratch);
        cst_arena_end(&arena);
        assert_int_equal(watched.held, 0);
    }
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, fixture_end);
}
