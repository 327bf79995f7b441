/* Every request for memory refused in turn, while reading, writing and converting: the answer is a message or the right result,
 * and nothing is kept. The problems are large enough that most arrays are a request of their own (an arena asks for 64 kB). */
#include "exchange_fixture.h"

enum { CONTACTS = 4000, DOFS = 3 * CONTACTS };

/* Rigid discs in a row, each touching the next: global in 2D, M diagonal but for one body of 200 coupled dofs at the end. */
typedef struct large {
    cst_global_problem problem;
    int64_t *mass_start, *jacobian_start;
    int32_t *mass_column, *jacobian_column;
    double *mass_value, *jacobian_value, *numbers;
} large;

static large make_large(void)
{
    large l = {.mass_start = calloc(DOFS + 1, sizeof(int64_t)),
               .jacobian_start = calloc(DOFS + 1, sizeof(int64_t)),
               .mass_column = calloc(3 * DOFS, sizeof(int32_t)),
               .jacobian_column = calloc(4 * DOFS, sizeof(int32_t)),
               .mass_value = calloc(3 * DOFS, sizeof(double)),
               .jacobian_value = calloc(4 * DOFS, sizeof(double)),
               .numbers = calloc(DOFS, sizeof(double))};
    uint64_t seed = 80;
    int64_t mass = 0, jacobian = 0;
    for (int32_t i = 0; i < DOFS; i++) {
        for (int32_t j = i - 1; j <= i + 1; j++)
            if (i == j || (i >= DOFS - 200 && j >= DOFS - 200 && j < DOFS)) {
                l.mass_column[mass] = j;
                l.mass_value[mass++] = i == j ? 4.0 : 1.0;
            }
        l.mass_start[i + 1] = mass;
        int body = i / 3;
        for (int contact = body - 1; contact <= body; contact++)
            for (int a = 0; a < 2 && contact >= 0 && contact < CONTACTS - 1; a++) {
                l.jacobian_column[jacobian] = 2 * contact + a;
                l.jacobian_value[jacobian++] = noise(&seed);
            }
        l.jacobian_start[i + 1] = jacobian;
        l.numbers[i] = 0.25;
    }
    l.problem = (cst_global_problem){.dim = 2,
                                     .contacts = CONTACTS,
                                     .dofs = DOFS,
                                     .mass = {DOFS, DOFS, l.mass_start, l.mass_column, l.mass_value},
                                     .jacobian = {DOFS, 2 * CONTACTS, l.jacobian_start, l.jacobian_column, l.jacobian_value},
                                     .force = l.numbers,
                                     .velocity_offset = l.numbers,
                                     .mu = l.numbers};
    return l;
}

static void free_large(large *l)
{
    free(l->mass_start);
    free(l->jacobian_start);
    free(l->mass_column);
    free(l->jacobian_column);
    free(l->mass_value);
    free(l->jacobian_value);
    free(l->numbers);
}

/* One attempt with the fail_at-th request refused; true if it succeeded all the same (then there was no such request). */
typedef bool attempt(const char *path, const large *l, watched_allocator *watched, char *message, size_t size);

static void try_all(attempt *run, const char *what, const char *path, const large *l, long at_least)
{
    long fail_at = 1;
    for (;; fail_at++) {
        watched_allocator watched;
        char message[512];
        watched_begin(&watched, fail_at);
        bool done = run(path, l, &watched, message, sizeof message);
        assert_int_equal(watched.held, 0);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        if (done)
            break;
        if (strncmp(message, path, strlen(path)) != 0 || !strstr(message, ": not enough memory"))
            fail_msg("%s, request %ld refused: \"%s\"", what, fail_at, message);
    }
    print_message("%s: %ld requests refused in turn\n", what, fail_at - 1);
    assert_true(fail_at - 1 >= at_least);
}

static bool read_once(const char *path, const large *l, watched_allocator *watched, char *message, size_t size)
{
    (void)l;
    cst_problem_file *file = cst_problem_file_read(path, &watched->allocator, message, size);
    cst_problem_file_free(file);
    return file != NULL;
}

/* A conversion that fails leaves the file as it was: the other conversion, and a second attempt, still work. */
static bool convert_once(const char *path, const large *l, watched_allocator *watched, char *message, size_t size)
{
    (void)l;
    long fail_at = watched->fail_at;
    watched->fail_at = 0;
    cst_problem_file *file = cst_problem_file_read(path, &watched->allocator, message, size);
    assert_non_null(file);
    cst_body_problem bodies;
    char again[512];
    watched->fail_at = watched->requests + fail_at;
    bool condensed = cst_problem_file_condense(file, message, size);
    bool done = condensed && cst_problem_file_bodies(file, &bodies, message, size);
    assert_int_equal(file->has_local, condensed);
    assert_true(cst_problem_file_bodies(file, &bodies, again, sizeof again));
    assert_true(cst_problem_file_condense(file, again, sizeof again));
    assert_int_equal(bodies.contacts, CONTACTS);
    /* neighbours in a row; the 67 contacts on the coupled body all with each other; and the last contact, which touches nothing */
    assert_int_equal(file->local.row_start[CONTACTS], 3 * (CONTACTS - 1) - 2 + 67 * 67 - (3 * 67 - 2) + 1);
    cst_problem_file_free(file);
    return done;
}

static bool write_once(const char *path, const large *l, watched_allocator *watched, char *message, size_t size)
{
    int files = scratch_files();
    bool done = cst_fclib_write_global(path, &l->problem, CST_FCLIB_COO, NULL, NULL, &watched->allocator, message, size);
    assert_int_equal(scratch_files(), files);
    return done;
}

static void test_fclib_global(void **state)
{
    (void)state;
    large l = make_large();
    char message[512];
    const char *path = scratch_path("large.hdf5");
    assert_true(cst_fclib_write_global(path, &l.problem, CST_FCLIB_CSR, l.numbers, "large", NULL, message, sizeof message));
    try_all(read_once, "read FCLIB, global", path, &l, 12);
    try_all(convert_once, "condense, then bodies", path, &l, 20);
    try_all(write_once, "write FCLIB, global", path, &l, 4);
    free_large(&l);
}

static void test_fclib_local(void **state)
{
    (void)state;
    large l = make_large();
    char message[512];
    const char *global = scratch_path("large.hdf5"), *path = scratch_path("local.hdf5");
    assert_true(cst_fclib_write_global(global, &l.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    cst_problem_file *file = get_file(global);
    assert_true(cst_problem_file_condense(file, message, sizeof message));
    assert_true(cst_fclib_write_local(path, &file->local, CST_FCLIB_CSC, NULL, "large", NULL, message, sizeof message));
    cst_problem_file_free(file);
    try_all(read_once, "read FCLIB, local", path, &l, 8);
    /* with equalities: V the first column of W's size, R = 1, s = 1 */
    static const int one = 1, zero = 0, unknowns = 2 * CONTACTS;
    static const double value = 1.0;
    static const char *const groups[2] = {"/fclib_local/V", "/fclib_local/R"};
    for (int k = 0; k < 2; k++) {
        const struct {
            const char *name;
            int value;
        } scalars[] = {{"m", k ? 1 : unknowns}, {"n", one}, {"nz", one}, {"i", zero}, {"p", zero}};
        char name[64];
        h5_group(path, groups[k]);
        for (int s = 0; s < 5; s++) {
            snprintf(name, sizeof name, "%s/%s", groups[k], scalars[s].name);
            h5_integers(path, name, 1, &scalars[s].value);
        }
        snprintf(name, sizeof name, "%s/x", groups[k]);
        h5_doubles(path, name, 1, &value);
    }
    h5_doubles(path, "/fclib_local/vectors/s", 1, &value);
    try_all(read_once, "read FCLIB, local with equalities", path, &l, 11);
    free_large(&l);
}

static void test_siconos_text(void **state)
{
    (void)state;
    large l = make_large();
    const char *path = scratch_path("large.dat");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "2 %d\n", CONTACTS);
    const cst_csr *matrices[2] = {&l.problem.mass, &l.problem.jacobian};
    for (int k = 0; k < 2; k++) {
        const cst_csr *m = matrices[k];
        long long entries = (long long)m->row_start[m->rows];
        fprintf(file, "2 %d %d 1\nCSparse Version 3\ntriplet: %d-by-%d, nzmax: %lld nnz: %lld\n", (int)m->rows, (int)m->columns,
                (int)m->rows, (int)m->columns, entries, entries);
        for (int32_t i = 0; i < m->rows; i++)
            for (int64_t e = m->row_start[i]; e < m->row_start[i + 1]; e++)
                fprintf(file, "%d %d : %.17g\n", (int)i, (int)m->column[e], m->value[e]);
    }
    for (int k = 0; k < DOFS + 3 * CONTACTS; k++)
        fprintf(file, "0.25\n");
    fclose(file);
    try_all(read_once, "read text, global", path, &l, 11);
    free_large(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fclib_global),
        cmocka_unit_test(test_fclib_local),
        cmocka_unit_test(test_siconos_text),
    };
    return cmocka_run_group_tests_name("exchange: memory refused", tests, NULL, fixture_end);
}
