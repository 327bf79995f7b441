/* What the tests of exchange/ share: an allocator that watches and fails on demand, files in a directory of their own, and
 * HDF5 files changed one dataset at a time. */
#ifndef CST_TESTS_EXCHANGE_FIXTURE_H
#define CST_TESTS_EXCHANGE_FIXTURE_H

#include "exchange/fclib.h"
#include "exchange/problem_file.h"

#include <dirent.h>
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Counts what it gives and fails the fail_at-th request (from 1; 0: never). */
typedef struct watched_allocator {
    cst_allocator allocator;
    long requests, fail_at;
    size_t held, largest;
} watched_allocator;

static inline void *watched_acquire(void *user, size_t bytes)
{
    watched_allocator *watched = user;
    if (++watched->requests == watched->fail_at)
        return NULL;
    void *memory = malloc(bytes);
    assert_non_null(memory);
    watched->held += bytes;
    watched->largest = bytes > watched->largest ? bytes : watched->largest;
    return memory;
}

static inline void watched_release(void *user, void *memory, size_t bytes)
{
    watched_allocator *watched = user;
    assert_true(watched->held >= bytes);
    watched->held -= bytes;
    free(memory);
}

static inline void watched_begin(watched_allocator *watched, long fail_at)
{
    *watched = (watched_allocator){.fail_at = fail_at};
    watched->allocator = (cst_allocator){watched_acquire, watched_release, watched};
}

/* --------------------------------------------------------------------------------------------------------------- files */

static char directory[64];

/* A path in the test's own directory, made at the first call and removed by fixture_end. Ten names are kept at a time. */
static inline const char *scratch_path(const char *name)
{
    static char paths[10][160];
    static int next;
    if (!directory[0]) {
        strcpy(directory, "/tmp/capstan-exchange-XXXXXX");
        assert_non_null(mkdtemp(directory));
    }
    char *path = paths[next++ % 10];
    assert_true(snprintf(path, sizeof paths[0], "%s/%s", directory, name) < (int)sizeof paths[0]);
    return path;
}

static inline int visit_files(bool remove_them)
{
    int files = 0;
    DIR *open_directory = directory[0] ? opendir(directory) : NULL;
    if (!open_directory)
        return 0;
    for (struct dirent *entry; (entry = readdir(open_directory));) {
        if (entry->d_name[0] == '.')
            continue;
        files++;
        if (remove_them) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            if (unlink(path) != 0)
                rmdir(path);
        }
    }
    closedir(open_directory);
    return files;
}

/* Number of files in that directory. */
static inline int scratch_files(void)
{
    return visit_files(false);
}

static inline int fixture_end(void **state)
{
    (void)state;
    visit_files(true);
    if (directory[0])
        rmdir(directory);
    directory[0] = '\0';
    return 0;
}

static inline void write_text(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* All of a file; free() it. */
static inline char *read_bytes_of(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

/* Path of a third-party problem, or NULL where they are absent: $CAPSTAN_PROBLEMS, or problems/ of the shared directory. */
static inline const char *shared_problem(const char *name)
{
    static char paths[4][512];
    static int next;
    const char *root = getenv("CAPSTAN_PROBLEMS");
    char *path = paths[next++ % 4];
    if (root)
        snprintf(path, sizeof paths[0], "%s/%s", root, name);
    else
        snprintf(path, sizeof paths[0], "%s/problems/%s", CAPSTAN_SHARED, name);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* A repeatable number in -1 .. 1. */
static inline double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* ---------------------------------------------------------------------------------------------------------------- HDF5 */

/* The file open for writing, with everything called `name` removed. */
static inline hid_t h5_open_without(const char *path, const char *name)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    if (H5Lexists(file, name, H5P_DEFAULT) > 0)
        assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    return file;
}

static inline void h5_drop(const char *path, const char *name)
{
    H5Fclose(h5_open_without(path, name));
}

/* Replace or add a dataset of a file on disk; whatever had that name goes. */
static inline void h5_array(const char *path, const char *name, int count, hid_t type, const void *value)
{
    hid_t file = h5_open_without(path, name);
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    if (count > 0)
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
}

static inline void h5_integers(const char *path, const char *name, int count, const int *value)
{
    h5_array(path, name, count, H5T_NATIVE_INT, value);
}

static inline void h5_doubles(const char *path, const char *name, int count, const double *value)
{
    h5_array(path, name, count, H5T_NATIVE_DOUBLE, value);
}

static inline void h5_group(const char *path, const char *name)
{
    hid_t file = h5_open_without(path, name);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0);
    H5Gclose(group);
    H5Fclose(file);
}

/* ------------------------------------------------------------------------------------------------------------- problems */

/* A local problem of random numbers: contact i coupled with i - 1 and i + 1. Nothing says it can be solved. */
typedef struct sample {
    cst_friction_problem problem;
    int64_t row_start[64];
    int32_t column[256];
    double block[256 * 9], q[192], mu[64], guess[192];
} sample;

static inline void sample_local(sample *s, int dim, int contacts, uint64_t seed)
{
    assert_true(contacts < 64);
    memset(s, 0, sizeof *s);
    int64_t blocks = 0;
    for (int i = 0; i < contacts; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < contacts; j++, blocks++) {
            s->column[blocks] = j;
            for (int a = 0; a < dim * dim; a++)
                s->block[blocks * dim * dim + a] = noise(&seed) + (i == j && a % (dim + 1) == 0 ? 4.0 : 0.0);
        }
        s->row_start[i + 1] = blocks;
        s->mu[i] = 0.5 + 0.5 * noise(&seed);
    }
    for (int k = 0; k < dim * contacts; k++) {
        s->q[k] = noise(&seed);
        s->guess[k] = noise(&seed);
    }
    s->problem = (cst_friction_problem){.dim = dim,
                                        .contacts = contacts,
                                        .row_start = s->row_start,
                                        .column = s->column,
                                        .block = s->block,
                                        .free_velocity = s->q,
                                        .mu = s->mu};
}

/* A global problem given densely, zeros dropped: M (n x n), H (n x dim contacts). */
typedef struct global_sample {
    cst_global_problem problem;
    int64_t mass_start[260], jacobian_start[260];
    int32_t mass_column[4096], jacobian_column[4096];
    double mass_value[4096], jacobian_value[4096];
    double force[260], offset[192], mu[64];
} global_sample;

static inline cst_csr sparse_of(int rows, int columns, const double *dense, int64_t *start, int32_t *column, double *value)
{
    int64_t filled = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            if (dense[i * columns + j] != 0.0) {
                assert_true(filled < 4096);
                column[filled] = j;
                value[filled++] = dense[i * columns + j];
            }
        start[i + 1] = filled;
    }
    return (cst_csr){rows, columns, start, column, value};
}

static inline void sample_global(global_sample *s, int dim, int contacts, int dofs, const double *mass, const double *jacobian,
                                 uint64_t seed)
{
    memset(s, 0, sizeof *s);
    assert_true(dofs < 260 && contacts < 64);
    for (int k = 0; k < dofs; k++)
        s->force[k] = noise(&seed);
    for (int k = 0; k < dim * contacts; k++)
        s->offset[k] = noise(&seed);
    for (int i = 0; i < contacts; i++)
        s->mu[i] = 0.5;
    s->problem = (cst_global_problem){
        .dim = dim,
        .contacts = contacts,
        .dofs = dofs,
        .mass = sparse_of(dofs, dofs, mass, s->mass_start, s->mass_column, s->mass_value),
        .jacobian = sparse_of(dofs, dim * contacts, jacobian, s->jacobian_start, s->jacobian_column, s->jacobian_value),
        .force = s->force,
        .velocity_offset = s->offset,
        .mu = s->mu};
}

/* Write it, or fail the test. */
static inline void put_local(const char *path, const sample *s, cst_fclib_storage storage)
{
    char message[512];
    if (!cst_fclib_write_local(path, &s->problem, storage, s->guess, "a sample", NULL, message, sizeof message))
        fail_msg("%s", message);
}

static inline void put_global(const char *path, const global_sample *s, cst_fclib_storage storage)
{
    char message[512];
    if (!cst_fclib_write_global(path, &s->problem, storage, NULL, "a sample", NULL, message, sizeof message))
        fail_msg("%s", message);
}

static inline cst_problem_file *get_file(const char *path)
{
    char message[512];
    cst_problem_file *file = cst_problem_file_read(path, NULL, message, sizeof message);
    if (!file)
        fail_msg("%s", message);
    return file;
}

#endif
