/* HDF5 files that are not friction problems, each a good one with one thing wrong: every one is refused with a message that names
 * file, dataset and fault; nothing is printed, nothing leaks, and no more memory is asked for than the file could fill. */
#include "exchange_fixture.h"

#include <math.h>

enum kind {
    DROP,      /* remove it */
    INTEGERS,  /* replace it by these */
    LONGS,     /* the same, 64 bits */
    REALS,     /* the same, doubles */
    TEXT,      /* a string */
    TABLE,     /* two dimensions, 1 x count */
    GROUP,     /* a group */
    SOFT,      /* a soft link to /fclib_local/vectors/q */
    OUTSIDE,   /* an external link */
    CLAIM,     /* contiguous, value[0] doubles, never written */
    DEFLATED,  /* compressed, value[0] doubles, never written */
    CHUNK,     /* chunks of value[0] doubles, count stored */
    ELSEWHERE, /* doubles in another file */
    VIRTUAL    /* doubles mapped from another file */
};

typedef struct bad {
    const char *name;
    enum kind kind;
    int count;
    double value[12];
    const char *message; /* fragment; NULL: fine, the file is still good */
} bad;

#define W "/fclib_local/W/"
#define V "/fclib_local/vectors/"

/* The local sample: 3D, 2 contacts, W full (6 x 6, 36 entries) in compressed rows. */
static const bad bad_local[] = {
    {"/fclib_local", DROP, 0, {0}, "an HDF5 file without /fclib_local or /fclib_global"},
    {"/fclib_local", TEXT, 0, {0}, "/fclib_local is not a group"},
    {"/fclib_global_rolling", GROUP, 0, {0}, "group /fclib_global_rolling: rolling friction"},
    {"/fclib_global", GROUP, 0, {0}, "holds both"},
    {"/fclib_local/spacedim", DROP, 0, {0}, "dataset /fclib_local/spacedim: missing"},
    {"/fclib_local/spacedim", INTEGERS, 1, {4}, "dataset /fclib_local/spacedim: is 4, neither 2 nor 3"},
    {"/fclib_local/spacedim",
     INTEGERS,
     1,
     {2},
     "dataset /fclib_local/vectors/q: has 6 entries, but 2 contacts in 2 dimensions need 4"},
    {"/fclib_local/spacedim", INTEGERS, 2, {3, 3}, "dataset /fclib_local/spacedim: has 2 entries, not one"},
    {"/fclib_local/spacedim", REALS, 1, {3}, "dataset /fclib_local/spacedim: holds floating-point numbers, not whole numbers"},
    {"/fclib_local/spacedim", TEXT, 0, {0}, "dataset /fclib_local/spacedim: holds strings, not whole numbers"},
    {"/fclib_local/spacedim", GROUP, 0, {0}, "dataset /fclib_local/spacedim: not a dataset"},
    {V "mu", DROP, 0, {0}, "dataset /fclib_local/vectors/mu: missing"},
    {V "mu", REALS, 2, {0.5, -0.1}, "dataset /fclib_local/vectors/mu: entry 1 is -0.1: a friction coefficient"},
    {V "mu", REALS, 2, {NAN, 0.1}, "dataset /fclib_local/vectors/mu: entry 0 is nan"},
    {V "mu", REALS, 2, {0.1, INFINITY}, "dataset /fclib_local/vectors/mu: entry 1 is inf"},
    {V "mu", REALS, 3, {0.5, 0.5, 0.5}, "dataset /fclib_local/vectors/q: has 6 entries, but 3 contacts in 3 dimensions need 9"},
    {V "mu", INTEGERS, 2, {1, 1}, "dataset /fclib_local/vectors/mu: holds whole numbers, not floating-point"},
    {V "mu", TABLE, 2, {0.5, 0.5}, "dataset /fclib_local/vectors/mu: has 2 dimensions, not one"},
    {V "q", DROP, 0, {0}, "dataset /fclib_local/vectors/q: missing"},
    {V "q", REALS, 6, {0, 0, -INFINITY, 0, 0, 0}, "dataset /fclib_local/vectors/q: entry 2 is -inf: not a finite number"},
    {V "q", REALS, 5, {0}, "dataset /fclib_local/vectors/q: has 5 entries"},
    {V "q", TEXT, 0, {0}, "dataset /fclib_local/vectors/q: has 0 dimensions, not one"},
    {V "q", OUTSIDE, 0, {0}, "dataset /fclib_local/vectors/q: /fclib_local/vectors/q is a soft or external link"},
    {V "mu", SOFT, 0, {0}, "dataset /fclib_local/vectors/mu: /fclib_local/vectors/mu is a soft or external link"},
    {V "q", CLAIM, 0, {6}, "dataset /fclib_local/vectors/q: 6 entries declared, fewer stored"},
    {V "q", CLAIM, 0, {1e9}, "dataset /fclib_local/vectors/q: claims 1000000000 entries of 8 bytes in a file of"},
    {V "q", DEFLATED, 0, {6}, "dataset /fclib_local/vectors/q: 6 entries declared, fewer stored"},
    {V "q", DEFLATED, 0, {1e12}, "dataset /fclib_local/vectors/q: claims 1000000000000 entries"},
    {V "q", CHUNK, 6, {1e6}, "dataset /fclib_local/vectors/q: stored in chunks of 1000000 entries"},
    {V "q", ELSEWHERE, 6, {0}, "dataset /fclib_local/vectors/q: its data are in another file"},
    {V "q", VIRTUAL, 6, {0}, "dataset /fclib_local/vectors/q: is virtual"},
    {W "m", DROP, 0, {0}, "dataset /fclib_local/W/m: missing"},
    {W "m", INTEGERS, 1, {9}, "dataset /fclib_local/W/m: is 9, but the vectors ask for 6"},
    {W "n", INTEGERS, 1, {-6}, "dataset /fclib_local/W/n: is -6, but the vectors ask for 6"},
    {W "n", LONGS, 1, {4294967302.0}, "dataset /fclib_local/W/n: is 4294967302"},
    {W "nz", DROP, 0, {0}, "dataset /fclib_local/W/nz: missing"},
    {W "nz", INTEGERS, 1, {-3}, "dataset /fclib_local/W/nz: is -3"},
    {W "nz", INTEGERS, 1, {37}, "dataset /fclib_local/W/nz: is 37, but i, p and x hold 36, 7 and 36 entries"},
    {W "p", DROP, 0, {0}, "dataset /fclib_local/W/p: missing"},
    {W "p", INTEGERS, 6, {0, 6, 12, 18, 24, 30}, "dataset /fclib_local/W/p: has 6 entries, not the expected 7"},
    {W "p",
     INTEGERS,
     7,
     {0, 6, 12, 11, 24, 30, 36},
     "dataset /fclib_local/W/p: entry 3 is 11 after 12: pointers may not decrease"},
    {W "p", INTEGERS, 7, {1, 6, 12, 18, 24, 30, 36}, "dataset /fclib_local/W/p: starts at 1, not 0"},
    {W "p", INTEGERS, 7, {0, 6, 12, 18, 24, 30, 37}, "dataset /fclib_local/W/p: ends at 37, but i and x hold 36 entries"},
    {W "p", INTEGERS, 7, {0}, "dataset /fclib_local/W/p: all pointers are 0, but x holds a full matrix"},
    {W "p", REALS, 7, {0, 6, 12, 18, 24, 30, 36}, "dataset /fclib_local/W/p: holds floating-point numbers"},
    {W "i", INTEGERS, 8, {0, 1, 2, 3, 4, 5, 0, 1}, "dataset /fclib_local/W/p: ends at 36, but i and x hold 8 entries"},
    {W "x", REALS, 2, {1, 2}, "dataset /fclib_local/W/p: ends at 36, but i and x hold 2 entries"},
    {W "x", TEXT, 0, {0}, "dataset /fclib_local/W/x: has 0 dimensions"},
    {"/fclib_local/V", GROUP, 0, {0}, "dataset /fclib_local/R: missing, though /fclib_local/V is there"},
    {"/fclib_local/R", GROUP, 0, {0}, "dataset /fclib_local/V: missing, though /fclib_local/R is there"},
    {"/guesses/1/r", REALS, 3, {0}, "dataset /guesses/1/r: has 3 entries, not the expected 6"},
    {"/guesses/1/r", REALS, 6, {0, NAN}, "dataset /guesses/1/r: entry 1 is nan"},
    /* and what is strange but right */
    {"/guesses", DROP, 0, {0}, NULL},
    {"/fclib_local/info", DROP, 0, {0}, NULL},
    {"/fclib_local/info/title", INTEGERS, 1, {7}, NULL},
    {"/fclib_local/W/nzmax", DROP, 0, {0}, NULL},
    {V "mu", REALS, 2, {1e300, 0}, NULL},
    {V "q", CHUNK, 6, {4}, NULL},
    {W "p", LONGS, 7, {0, 6, 12, 18, 24, 30, 36}, NULL},
};

/* Entries of W out of range, in each storage. */
static const bad bad_indices[] = {
    {W "i", INTEGERS, 4, {0, 1, 2, 6}, "dataset /fclib_local/W/i: entry 3 is 6, outside 0 .. 5"},
    {W "i", INTEGERS, 4, {0, 1, -1, 5}, "dataset /fclib_local/W/i: entry 2 is -1, outside 0 .. 5"},
    {W "i", LONGS, 4, {0, 4294967296.0, 2, 5}, "dataset /fclib_local/W/i: entry 1 is 4294967296, outside 0 .. 5"},
    {W "x", REALS, 4, {1, 2, NAN, 4}, "dataset /fclib_local/W/x: entry 2 is nan: not a finite number"},
    {W "x", REALS, 5, {1, 2, 3, 4, NAN}, NULL}, /* beyond the entries in use: room, not data */
};

static void make_array(hid_t file, const char *name, hid_t type, hid_t properties, int rank, hsize_t extent, const void *value)
{
    hsize_t extents[2] = {rank == 2 ? 1 : extent, extent}, unlimited = H5S_UNLIMITED;
    bool growing = H5Pget_layout(properties) == H5D_CHUNKED; /* or else no chunk may be larger than the whole */
    hid_t space = H5Screate_simple(rank, extents, growing ? &unlimited : NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(set >= 0);
    if (value)
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

static void make_link(hid_t file, const char *name, enum kind kind)
{
    if (kind == SOFT)
        assert_true(H5Lcreate_soft("/fclib_local/vectors/q", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    else
        assert_true(H5Lcreate_external("elsewhere.hdf5", "/q", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

static void make_text(hid_t file, const char *name)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 6);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "three") >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static void make_properties(hid_t properties, const bad *change)
{
    hsize_t chunk = change->kind == CHUNK ? (hsize_t)change->value[0] : 1024, extent = (hsize_t)change->count;
    if (change->kind == CHUNK || change->kind == DEFLATED)
        assert_true(H5Pset_chunk(properties, 1, &chunk) >= 0);
    if (change->kind == CHUNK)
        H5Pset_deflate(properties, 6); /* so that the file stays small */
    if (change->kind == DEFLATED)
        assert_true(H5Pset_deflate(properties, 6) >= 0);
    if (change->kind == ELSEWHERE)
        assert_true(H5Pset_external(properties, "/etc/hostname", 0, 48) >= 0);
    if (change->kind == VIRTUAL) {
        hid_t space = H5Screate_simple(1, &extent, NULL);
        assert_true(H5Pset_virtual(properties, space, "elsewhere.hdf5", "/q", space) >= 0);
        H5Sclose(space);
    }
}

static void change_file(const char *path, const bad *change)
{
    hid_t file = h5_open_without(path, change->name), properties = H5Pcreate(H5P_DATASET_CREATE);
    int narrow[12];
    long long wide[12];
    for (int k = 0; k < change->count; k++) {
        bool whole = change->kind == INTEGERS || change->kind == LONGS;
        narrow[k] = whole && fabs(change->value[k]) < 2e9 ? (int)change->value[k] : 0;
        wide[k] = whole ? (long long)change->value[k] : 0;
    }
    make_properties(properties, change);
    hsize_t count = (hsize_t)change->count;
    switch (change->kind) {
    case DROP:
        break;
    case INTEGERS:
        make_array(file, change->name, H5T_NATIVE_INT, properties, 1, count, narrow);
        break;
    case LONGS:
        make_array(file, change->name, H5T_NATIVE_LLONG, properties, 1, count, wide);
        break;
    case REALS:
        make_array(file, change->name, H5T_NATIVE_DOUBLE, properties, 1, count, change->value);
        break;
    case TEXT:
        make_text(file, change->name);
        break;
    case TABLE:
        make_array(file, change->name, H5T_NATIVE_DOUBLE, properties, 2, count, change->value);
        break;
    case GROUP:
        H5Gclose(H5Gcreate2(file, change->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
    case SOFT:
    case OUTSIDE:
        make_link(file, change->name, change->kind);
        break;
    case CLAIM:
    case DEFLATED:
        make_array(file, change->name, H5T_NATIVE_DOUBLE, properties, 1, (hsize_t)change->value[0], NULL);
        break;
    case CHUNK:
        make_array(file, change->name, H5T_NATIVE_DOUBLE, properties, 1, count, change->value);
        break;
    case ELSEWHERE:
    case VIRTUAL:
        make_array(file, change->name, H5T_NATIVE_DOUBLE, properties, 1, count, NULL);
        break;
    }
    H5Pclose(properties);
    H5Fclose(file);
}

/* Read it from disk and from memory: the same answer, nothing held, nothing left open. */
static void check_answer(const char *path, const char *expected)
{
    size_t bytes;
    char *image = read_bytes_of(path, &bytes);
    for (int from_memory = 0; from_memory < 2; from_memory++) {
        watched_allocator watched;
        watched_begin(&watched, 0);
        char message[512] = "untouched";
        cst_problem_file *file =
            from_memory ? cst_problem_file_read_image(path, image, bytes, &watched.allocator, message, sizeof message)
                        : cst_problem_file_read(path, &watched.allocator, message, sizeof message);
        if (!expected && !file)
            fail_msg("refused: %s", message);
        if (expected && file)
            fail_msg("accepted, though: %s", expected);
        if (expected && (strncmp(message, path, strlen(path)) != 0 || !strstr(message, expected)))
            fail_msg("expected \"%s\", got \"%s\"", expected, message);
        if (!expected)
            assert_string_equal(message, "");
        cst_problem_file_free(file);
        assert_int_equal(watched.held, 0);
        assert_true(watched.largest < 200000);
        assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    }
    free(image);
}

/* Whatever is printed during the test, to be looked at afterwards. */
static FILE *capture_errors(int *before)
{
    FILE *captured = tmpfile();
    assert_non_null(captured);
    fflush(stderr);
    *before = dup(2);
    dup2(fileno(captured), 2);
    return captured;
}

static long release_errors(FILE *captured, int before)
{
    fflush(stderr);
    dup2(before, 2);
    close(before);
    fseek(captured, 0, SEEK_END);
    long printed = ftell(captured);
    fclose(captured);
    return printed;
}

static void test_bad_local(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 3, 2, 1);
    const char *path = scratch_path("bad.hdf5");
    H5E_auto2_t print_before, print_after;
    void *user_before, *user_after;
    H5Eget_auto2(H5E_DEFAULT, &print_before, &user_before);
    assert_non_null(print_before);
    size_t count = sizeof bad_local / sizeof bad_local[0], bytes;
    put_local(path, &s, CST_FCLIB_CSR);
    char *good = read_bytes_of(path, &bytes);
    for (size_t k = 0; k < count; k++) {
        write_text(path, good, bytes);
        change_file(path, &bad_local[k]);
        int before;
        FILE *captured = capture_errors(&before);
        check_answer(path, bad_local[k].message);
        assert_int_equal(release_errors(captured, before), 0);
    }
    free(good);
    H5Eget_auto2(H5E_DEFAULT, &print_after, &user_after);
    assert_ptr_equal(print_before, print_after);
    assert_ptr_equal(user_before, user_after);
    print_message("%zu changed files\n", count);
}

/* The same four entries as rows, columns and triplets. */
static void test_bad_indices(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 3, 2, 2);
    const char *path = scratch_path("indices.hdf5");
    static const int pointers[7] = {0, 1, 2, 3, 4, 4, 4}, columns[4] = {0, 1, 2, 5};
    static const double values[4] = {1, 2, 3, 4};
    size_t bytes;
    put_local(path, &s, CST_FCLIB_CSR);
    char *good = read_bytes_of(path, &bytes);
    for (int storage = -2; storage <= 0; storage++)
        for (size_t k = 0; k < sizeof bad_indices / sizeof bad_indices[0]; k++) {
            write_text(path, good, bytes);
            int nz = storage < 0 ? storage : 4;
            h5_integers(path, W "nz", 1, &nz);
            h5_integers(path, W "p", storage < 0 ? 7 : 4, storage < 0 ? pointers : columns);
            h5_integers(path, W "i", 4, columns);
            h5_doubles(path, W "x", 4, values);
            change_file(path, &bad_indices[k]);
            check_answer(path, bad_indices[k].message);
        }
    free(good);
    /* the column of a triplet */
    put_local(path, &s, CST_FCLIB_COO);
    change_file(path, &(bad){W "nz", INTEGERS, 1, {1}, NULL});
    change_file(path, &(bad){W "p", INTEGERS, 1, {6}, NULL});
    check_answer(path, "dataset /fclib_local/W/p: entry 0 is 6, outside 0 .. 5");
    /* entries that are finite one by one and not together */
    static const int twice[2] = {3, 3};
    static const double large[2] = {1.7e308, 1.7e308};
    change_file(path, &(bad){W "nz", INTEGERS, 1, {2}, NULL});
    h5_integers(path, W "p", 2, twice);
    h5_integers(path, W "i", 2, twice);
    h5_doubles(path, W "x", 2, large);
    check_answer(path, "matrix W: the entries given for (3, 3) overflow when added");
}

static void test_bad_global(void **state)
{
    (void)state;
    static const bad changes[] = {
        {"/fclib_global/H/m", INTEGERS, 1, {3}, "dataset /fclib_global/H/m: is 3, but the vectors ask for 6"},
        {"/fclib_global/H/n", INTEGERS, 1, {6}, "dataset /fclib_global/H/n: is 6, but the vectors ask for 3"},
        {"/fclib_global/M", DROP, 0, {0}, "dataset /fclib_global/M/m: missing"},
        {"/fclib_global/H", DROP, 0, {0}, "dataset /fclib_global/H/m: missing"},
        {"/fclib_global/vectors/f", DROP, 0, {0}, "dataset /fclib_global/vectors/f: missing"},
        {"/fclib_global/vectors/f", REALS, 5, {0}, "dataset /fclib_global/M/m: is 6, but the vectors ask for 5"},
        {"/fclib_global/vectors/f", REALS, 6, {0, NAN}, "dataset /fclib_global/vectors/f: entry 1 is nan"},
        {"/fclib_global/vectors/w", REALS, 2, {0}, "dataset /fclib_global/vectors/w: has 2 entries"},
        {"/fclib_global/vectors/w", REALS, 3, {0, NAN, 0}, "dataset /fclib_global/vectors/w: entry 1 is nan"},
        {"/fclib_global/G", GROUP, 0, {0}, "dataset /fclib_global/vectors/b: missing"},
    };
    double mass[36] = {0}, jacobian[18] = {0};
    for (int k = 0; k < 6; k++)
        mass[7 * k] = jacobian[k * 3 + k % 3] = 1.0 + k;
    static global_sample s;
    sample_global(&s, 3, 1, 6, mass, jacobian, 3);
    const char *path = scratch_path("global.hdf5");
    size_t bytes;
    put_global(path, &s, CST_FCLIB_COO);
    char *good = read_bytes_of(path, &bytes);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        write_text(path, good, bytes);
        change_file(path, &changes[k]);
        check_answer(path, changes[k].message);
    }
    free(good);
}

/* A file cut anywhere is refused, or (inside what HDF5 keeps in reserve at the end) read in full; it never crashes. */
static void test_truncated(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 3, 2, 4);
    const char *path = scratch_path("whole.hdf5");
    put_local(path, &s, CST_FCLIB_CSR);
    size_t bytes;
    char *image = read_bytes_of(path, &bytes);
    int refused = 0;
    for (size_t length = 0; length < bytes; length += 61) {
        char message[512];
        write_text(path, image, length);
        cst_problem_file *file = cst_problem_file_read(path, NULL, message, sizeof message);
        assert_null(file);
        assert_non_null(strstr(message, path));
        refused++;
    }
    free(image);
    print_message("%d cuts refused\n", refused);
}

/* A chunk that does not decompress. */
static void test_damaged_chunk(void **state)
{
    (void)state;
    static sample s;
    sample_local(&s, 3, 2, 5);
    const char *path = scratch_path("chunk.hdf5");
    put_local(path, &s, CST_FCLIB_CSR);
    change_file(path, &(bad){V "q", CHUNK, 6, {6}, NULL});
    check_answer(path, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, V "q", H5P_DEFAULT);
    hsize_t offset = 0;
    assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &offset, 20, "this is not deflated") >= 0);
    H5Dclose(set);
    H5Fclose(file);
    check_answer(path, "dataset /fclib_local/vectors/q: cannot be read: truncated, damaged, or compressed in an unknown way");
}

static void test_not_a_file(void **state)
{
    (void)state;
    char message[512];
    assert_null(cst_problem_file_read(scratch_path("absent"), NULL, message, sizeof message));
    assert_non_null(strstr(message, "cannot be opened: No such file"));
    assert_null(cst_problem_file_read("/tmp", NULL, message, sizeof message));
    assert_string_equal(message, "/tmp: is not a regular file");
    const char *pipe_path = scratch_path("pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_null(cst_problem_file_read(pipe_path, NULL, message, sizeof message));
    assert_non_null(strstr(message, "is not a regular file"));
    /* a message buffer that is absent or small is the caller's choice */
    char small[8];
    assert_null(cst_problem_file_read("/tmp", NULL, small, sizeof small));
    assert_string_equal(small, "/tmp: i");
    assert_null(cst_problem_file_read("/tmp", NULL, NULL, 0));
    assert_null(cst_problem_file_read(scratch_path("absent"), NULL, small, 1));
    assert_string_equal(small, "");
    /* a hole costs nothing on disk, and would in memory */
    const char *hole = scratch_path("hole");
    write_text(hole, "3 1", 3);
    assert_int_equal(truncate(hole, (off_t)3 << 30), 0);
    assert_null(cst_problem_file_read(hole, NULL, message, sizeof message));
    assert_non_null(strstr(message, "is no HDF5 file, and with 3221225472 bytes too long for a text file"));
    /* our own solutions are HDF5 files too */
    static const double three[3] = {1, 2, 3};
    const char *path = scratch_path("solution.hdf5");
    assert_true(cst_fclib_write_solution(path, &(cst_fclib_solution){.dim = 3, .contacts = 1, .r = three, .u = three}, NULL,
                                         message, sizeof message));
    assert_null(cst_problem_file_read(path, NULL, message, sizeof message));
    assert_non_null(strstr(message, "not a friction problem"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_local), cmocka_unit_test(test_bad_indices),   cmocka_unit_test(test_bad_global),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_damaged_chunk), cmocka_unit_test(test_not_a_file),
    };
    return cmocka_run_group_tests_name("exchange: bad HDF5 files", tests, NULL, fixture_end);
}
