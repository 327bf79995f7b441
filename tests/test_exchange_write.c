/* What we write is what we read, to the bit and in every storage; and a write that fails leaves nothing behind. */
#include "exchange_fixture.h"

#include <signal.h>
#include <sys/resource.h>

static void assert_same_local(const cst_friction_problem *a, const cst_friction_problem *b)
{
    size_t contacts = (size_t)a->contacts, d = (size_t)a->dim, blocks = (size_t)a->row_start[a->contacts];
    assert_int_equal(a->dim, b->dim);
    assert_int_equal(a->contacts, b->contacts);
    assert_memory_equal(a->row_start, b->row_start, (contacts + 1) * sizeof *a->row_start);
    if (contacts == 0)
        return;
    assert_memory_equal(a->column, b->column, blocks * sizeof *a->column);
    assert_memory_equal(a->block, b->block, blocks * d * d * sizeof *a->block);
    assert_memory_equal(a->free_velocity, b->free_velocity, contacts * d * sizeof *a->free_velocity);
    assert_memory_equal(a->mu, b->mu, contacts * sizeof *a->mu);
}

/* The description of a file contains the equation of its problem. */
static void assert_described(const char *path, const char *name, const char *equation)
{
    char text[256] = "";
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set);
    assert_true(H5Tget_size(type) < sizeof text);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    assert_non_null(strstr(text, equation));
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
}

static void test_local_round_trip(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 2, 7, 30};
    static sample s;
    for (int dim = 2; dim <= 3; dim++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            for (int storage = CST_FCLIB_CSR; storage <= CST_FCLIB_COO; storage++) {
                const char *path = scratch_path("local.hdf5");
                sample_local(&s, dim, sizes[k], 10 + k);
                put_local(path, &s, (cst_fclib_storage)storage);
                assert_described(path, "/fclib_local/info/description", "u = W r + q");
                cst_problem_file *file = get_file(path);
                assert_int_equal(file->format, CST_FILE_FCLIB_LOCAL);
                assert_string_equal(file->title, "a sample");
                assert_same_local(&s.problem, &file->local);
                assert_int_equal(file->guess_source, CST_GUESS_GUESSES);
                if (sizes[k] > 0)
                    assert_memory_equal(file->guess, s.guess, (size_t)(dim * sizes[k]) * sizeof(double));
                cst_problem_file_free(file);
            }
}

static void assert_same_csr(const cst_csr *a, const cst_csr *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    size_t entries = (size_t)a->row_start[a->rows];
    assert_memory_equal(a->row_start, b->row_start, ((size_t)a->rows + 1) * sizeof *a->row_start);
    if (entries > 0) {
        assert_memory_equal(a->column, b->column, entries * sizeof *a->column);
        assert_memory_equal(a->value, b->value, entries * sizeof *a->value);
    }
}

static void test_global_round_trip(void **state)
{
    (void)state;
    static global_sample s;
    double mass[25] = {0}, jacobian[20] = {0};
    uint64_t seed = 5;
    for (int k = 0; k < 25; k++)
        mass[k] = k % 3 == 0 ? noise(&seed) : 0.0;
    for (int k = 0; k < 20; k++)
        jacobian[k] = k % 2 == 0 ? noise(&seed) : 0.0;
    for (int contacts = 0; contacts <= 2; contacts++)
        for (int storage = CST_FCLIB_CSR; storage <= CST_FCLIB_COO; storage++) {
            const char *path = scratch_path("global.hdf5");
            sample_global(&s, 2, contacts, 5, mass, jacobian, 6);
            put_global(path, &s, (cst_fclib_storage)storage);
            assert_described(path, "/fclib_global/info/description", "M v = H r + f, u = H^T v + w");
            cst_problem_file *file = get_file(path);
            assert_true(file->has_global && !file->has_local);
            assert_int_equal(file->guess_source, CST_GUESS_NONE);
            assert_same_csr(&s.problem.mass, &file->global.mass);
            assert_same_csr(&s.problem.jacobian, &file->global.jacobian);
            assert_memory_equal(file->global.force, s.force, 5 * sizeof(double));
            if (contacts > 0) {
                assert_memory_equal(file->global.velocity_offset, s.offset, (size_t)(2 * contacts) * sizeof(double));
                assert_memory_equal(file->global.mu, s.mu, (size_t)contacts * sizeof(double));
            }
            cst_problem_file_free(file);
        }
}

/* Duplicates are added in the order of the file, zeros dropped, missing diagonals put back. */
static void test_loose_matrices(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 2, 2, 7);
    const char *path = scratch_path("loose.hdf5");
    put_local(path, &s, CST_FCLIB_COO);
    static const int nz = 5, nzmax = 1000, row[6] = {3, 0, 0, 1, 0, 77}, column[6] = {0, 3, 0, 1, 3, 77};
    static const double value[6] = {5.0, 1.0, 0.0, 0.0, 0.25, 1e300};
    h5_integers(path, "/fclib_local/W/nz", 1, &nz);
    h5_integers(path, "/fclib_local/W/nzmax", 1, &nzmax);
    h5_integers(path, "/fclib_local/W/i", 6, row);
    h5_integers(path, "/fclib_local/W/p", 6, column);
    h5_doubles(path, "/fclib_local/W/x", 6, value);
    cst_problem_file *file = get_file(path);
    static const int64_t start[3] = {0, 2, 4};
    static const int32_t columns[4] = {0, 1, 0, 1};
    static const double block[16] = {0, 0, 0, 0, 0, 1.25, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0};
    assert_memory_equal(file->local.row_start, start, sizeof start);
    assert_memory_equal(file->local.column, columns, sizeof columns);
    assert_memory_equal(file->local.block, block, sizeof block);
    cst_problem_file_free(file);
    /* /solution is the second choice for a guess */
    h5_drop(path, "/guesses");
    h5_group(path, "/solution");
    h5_doubles(path, "/solution/r", 4, value);
    file = get_file(path);
    assert_int_equal(file->guess_source, CST_GUESS_SOLUTION);
    assert_memory_equal(file->guess, value, 4 * sizeof(double));
    cst_problem_file_free(file);
}

static void read_solution(const char *path, const char *name, int count, double *out)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

static void test_solution(void **state)
{
    (void)state;
    static const double r[6] = {1, 2, 3, 4, 5, 6}, u[6] = {0, -0.0, 1e-300, 7, 8, 9}, v[4] = {4, 3, 2, 1}, l[1] = {11};
    char message[512];
    double found[6];
    const char *path = scratch_path("solution.hdf5"), *again = scratch_path("again.hdf5");
    cst_fclib_solution solution = {.dim = 3, .contacts = 2, .r = r, .u = u, .v = v, .dofs = 4, .l = l, .equalities = 1};
    assert_true(cst_fclib_write_solution(path, &solution, NULL, message, sizeof message));
    assert_string_equal(message, "");
    read_solution(path, "/solution/r", 6, found);
    assert_memory_equal(found, r, sizeof r);
    read_solution(path, "/solution/u", 6, found);
    assert_memory_equal(found, u, sizeof u);
    read_solution(path, "/solution/v", 4, found);
    assert_memory_equal(found, v, sizeof v);
    read_solution(path, "/solution/l", 1, found);
    assert_memory_equal(found, l, sizeof l);
    /* the same contents are the same bytes: no clock in the file */
    size_t bytes, bytes_again;
    sleep(1);
    assert_true(cst_fclib_write_solution(again, &solution, NULL, message, sizeof message));
    char *image = read_bytes_of(path, &bytes), *image_again = read_bytes_of(again, &bytes_again);
    assert_int_equal(bytes, bytes_again);
    assert_memory_equal(image, image_again, bytes);
    free(image);
    free(image_again);
    /* the umask decides who may read it */
    struct stat status;
    mode_t mask = umask(022);
    assert_true(cst_fclib_write_solution(again, &solution, NULL, message, sizeof message));
    umask(mask);
    assert_int_equal(stat(again, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    /* nothing but r and u if that is all there is, and nothing at all for no contacts */
    solution = (cst_fclib_solution){.dim = 2, .contacts = 0, .r = r, .u = u};
    assert_true(cst_fclib_write_solution(again, &solution, NULL, message, sizeof message));
}

static void test_refused_writes(void **state)
{
    (void)state;
    static sample s;
    char message[512];
    static const uint8_t law[2] = {CST_LAW_COULOMB, CST_LAW_BILATERAL};
    const char *path = scratch_path("refused.hdf5");
    int files = scratch_files();
    sample_local(&s, 3, 2, 8);
    s.q[3] = 0.0 / (s.q[3] - s.q[3]);
    assert_false(cst_fclib_write_local(path, &s.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    assert_non_null(strstr(message, "dataset q: entry 3 is"));
    sample_local(&s, 3, 2, 8);
    s.problem.law = law;
    assert_false(cst_fclib_write_local(path, &s.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    assert_non_null(strstr(message, "contact 1 is bilateral"));
    sample_local(&s, 3, 2, 8);
    char nowhere[256];
    snprintf(nowhere, sizeof nowhere, "%s/absent/x.hdf5", path);
    assert_false(cst_fclib_write_local(nowhere, &s.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    assert_non_null(strstr(message, "cannot be created: "));
    assert_int_equal(scratch_files(), files);
    /* a directory in the way */
    const char *blocked = scratch_path("directory");
    assert_int_equal(mkdir(blocked, 0700), 0);
    assert_false(cst_fclib_write_local(blocked, &s.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message));
    assert_non_null(strstr(message, "cannot be written: "));
    assert_int_equal(scratch_files(), files + 1);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* A limit on the size of files stands in for a full disk: write() fails in the same place. */
static void test_full_disk(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 3, 30, 9);
    char message[512];
    const char *path = scratch_path("full.hdf5");
    write_text(path, "older", 5);
    int files = scratch_files();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = cst_fclib_write_local(path, &s.problem, CST_FCLIB_CSR, NULL, NULL, NULL, message, sizeof message);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_false(written);
    assert_non_null(strstr(message, "cannot be written: File too large"));
    assert_int_equal(scratch_files(), files);
    size_t bytes;
    char *kept = read_bytes_of(path, &bytes);
    assert_int_equal(bytes, 5);
    assert_memory_equal(kept, "older", 5);
    free(kept);
    /* and with room again it works */
    put_local(path, &s, CST_FCLIB_CSR);
    cst_problem_file_free(get_file(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_round_trip), cmocka_unit_test(test_global_round_trip), cmocka_unit_test(test_loose_matrices),
        cmocka_unit_test(test_solution),         cmocka_unit_test(test_refused_writes),    cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests_name("exchange: writing", tests, NULL, fixture_end);
}
