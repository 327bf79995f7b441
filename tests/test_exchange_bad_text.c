/* Text files in the formats of Siconos: small good ones of every kind, and bad ones, each refused with line, token and fault. */
#include "exchange_fixture.h"

#include <locale.h>

/* ---------------------------------------------------------------------------------------------------------------- good */

/* W = [2 1; 0 3] in 2D is the smallest problem that tells rows from columns. */
static const char *const same_problem[] = {
    "2 1  0 2 2  2 2  2 0 1 3   5 6  0.25",                                     /* dense */
    "2\n1\n0\n2\n2\n2\t2\n2 0\n1 3\n5 6\n0.25\n1\n",                            /* dense, with the old flag */
    "2 1  1 2 2  1 1 1 2 2 2 1 0 1 0  0 2 0 1 3   5 6  0.25",                   /* one block */
    "2 1  1 2 2  4 2 2 1 2 1 2 3 4 0 2 4 0 1 0 1  0 2 1 1 2 0 3 3   5 6  0.25", /* four blocks of one */
    "2 1  1 2 2  4 2 2 1 2 1 2 3 4 0 2 4 1 0 1 0  0 1 1 2 2 3 3 0   5 6  0.25", /* blocks of a row in any order */
    "2 1  2 2 2  1\nCSparse Version 3\ntriplet: 2-by-2, nzmax: 9 nnz: 4\n"
    " 0 0 : 1\n 1 1 : 3\n 0 1 : 1\n 0 0 : 1\n  5 6  0.25", /* triplets, one entry in two parts */
    "2 1  2 2 2  2\nCSparse Version 3\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n"
    "col 0 : locations 0 to 0\n 0 : 2\ncol 1 : locations 1 to 2\n 0 : 1\n 1 : 3\n  5 6  0.25", /* columns */
    "2 1  2 2 2  3\nCSparse Version 3\ncsr: 2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\n"
    "row 0 : locations 0 to 1\n 0 : 2\n 1 : 1\nrow 1 : locations 2 to 2\n 1 : 3\n  5 6  0.25", /* rows */
};

static cst_problem_file *good(const char *text)
{
    char message[512];
    cst_problem_file *file = cst_problem_file_read_image("good", text, strlen(text), NULL, message, sizeof message);
    if (!file)
        fail_msg("%s", message);
    return file;
}

static void test_one_problem_in_every_storage(void **state)
{
    (void)state;
    static const double block[4] = {2, 1, 0, 3};
    for (size_t k = 0; k < sizeof same_problem / sizeof same_problem[0]; k++) {
        cst_problem_file *file = good(same_problem[k]);
        assert_int_equal(file->format, CST_FILE_SICONOS_LOCAL);
        assert_int_equal(file->local.row_start[1], 1);
        assert_memory_equal(file->local.block, block, sizeof block);
        assert_true(file->local.free_velocity[0] == 5.0 && file->local.free_velocity[1] == 6.0 && file->local.mu[0] == 0.25);
        cst_problem_file_free(file);
    }
}

/* Local and global, told apart where M could be either. */
static void test_local_or_global(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cst_file_format format;
        int contacts, dofs;
    } cases[] = {
        {"2 0  0 0 0 0 0", CST_FILE_SICONOS_LOCAL, 0, 0},
        {"2 0  0 0 0 0 0  1", CST_FILE_SICONOS_LOCAL, 0, 0},
        {"2 0  0 0 0 0 0  0 0 0 0 0", CST_FILE_SICONOS_GLOBAL, 0, 0},
        {"2 0  0 1 1 1 1 7  0 1 0 1 0  4", CST_FILE_SICONOS_GLOBAL, 0, 1},
        /* q = 0 2, mu = 2: like the start of H, but no more */
        {"2 1  0 2 2 2 2  1 0 0 1   0 2 2  ", CST_FILE_SICONOS_LOCAL, 1, 0},
        {"2 1  0 2 2 2 2  1 0 0 1   0 2 2 2 2  1 0 0 1   5 6  7 8  0.5", CST_FILE_SICONOS_GLOBAL, 1, 2},
        {"2 1  0 2 2 2 2  1 0 0 1   0 2 2 2 2  1 0 0 1   5 6  7 8  0.5  0", CST_FILE_SICONOS_GLOBAL, 1, 2},
        {"2 1  0 2 2 2 2  1 0 0 1   1 2 2 0   5 6  7 8  0.5", CST_FILE_SICONOS_GLOBAL, 1, 2}, /* H empty: the shortest there is */
        {"2 1  0 1 1 1 1  4   0 1 2 1 2  1 3   5  7 8  0.5", CST_FILE_SICONOS_GLOBAL, 1, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cst_problem_file *file = good(cases[k].text);
        assert_int_equal(file->format, cases[k].format);
        assert_string_equal(cst_file_format_name(file->format), file->has_local ? "siconos local" : "siconos global");
        assert_int_equal(file->contacts, cases[k].contacts);
        assert_int_equal(file->file_dofs, cases[k].dofs);
        cst_problem_file_free(file);
    }
    /* the last: M = 4, H = [1 3], f = 5, w = [7 8]: W = H^T H / 4, q = H^T 5/4 + w */
    char message[512];
    cst_problem_file *file = good(cases[8].text);
    assert_true(cst_problem_file_condense(file, message, sizeof message));
    static const double block[4] = {0.25, 0.75, 0.75, 2.25}, q[2] = {8.25, 11.75};
    assert_memory_equal(file->local.block, block, sizeof block);
    assert_memory_equal(file->local.free_velocity, q, sizeof q);
    cst_problem_file_free(file);
}

/* ----------------------------------------------------------------------------------------------------------------- bad */

#define SPARSE "2 1 2 2 2 1\nCSparse Version 3\n"

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "line 1, token 1: header: the file ends where the dimension should be"},
    {" \n \n", "line 3, token 1: header: the file ends where the dimension"},
    {"4 1", "token 1: header: the dimension is 4, outside 2 .. 3"},
    {"3.0 1", "token 1: header: \"3.0\" is not a whole number: the dimension was expected"},
    {"hello", "token 1: header: \"hello\" is not a whole number"},
    {"\x7f"
     "ELF\x02\x01",
     "token 1: header: \"?ELF??\" is not the dimension"},
    {"3 -1", "token 2: header: the number of contacts is -1, outside 0 .."},
    {"3 99999999999999999999", "token 2: header: the number of contacts is 99999999999999999999, outside"},
    {"3 700000000", "token 2: header: the number of contacts asks for 2800000000 values, and only 0 bytes follow"},
    {"2 1 3 2 2 1 1 1 1 1", "token 3: matrix M: the storage (0 dense, 1 sparse block, 2 sparse) is 3"},
    {"2 1 0 2 -2 1 1 1 1 1", "token 5: matrix M: the number of columns is -2"},
    {"2 1 0 2 3 2 3 1 0 0 1 0 0 5 6 0.25", "matrix M: 2 by 3, not square"},
    {"2 1 0 2 2 2 3 1 0 0 1 5 6 0.25", "token 7: matrix M: the number of columns, again is 3, outside 2 .. 2"},
    {"2 1 0 2 2 2 2 1 0 0 nan 5 6 0.25", "token 11: matrix M: a value is nan: not a finite number"},
    {"2 1 0 2 2 2 2 1 0 0 1e999 5 6 0.25", "token 11: matrix M: a value is 1e999: not a finite number"},
    {"2 1 0 2 2 2 2 1 0 0 1,5 5 6 0.25", "token 11: matrix M: \"1,5\" is not a number"},
    {"2 1 0 2 2 2 2\n1 0\n0 1\n5 inf 0.25", "line 4, token 13: vector q: a value is inf"},
    {"2 1 0 2 2 2 2 1 0 0 1 5 6 -0.25", "vector mu: entry 0 is -0.25: a friction coefficient is finite and not negative"},
    {"2 1 0 2 2 2 2 1 0 0 1 5 6", "token 13: vector mu: the vector asks for 1 values, and only 0 bytes follow"},
    {"2 1 0 2 2 2 2 1 0 0 1 5", "token 11: vector q: the vector asks for 2 values, and only 2 bytes follow"},
    {"2 1 0 2 2 2 2 1 0 0", "token 7: matrix M: the matrix asks for 4 values, and only 6 bytes follow"},
    {"2 1 0 2 2 2 2 1 0 0 1 5 6 0.25 0 0", "matrix H (5 tokens after M, not 3: not FC2D, so GFC2D): the storage"},
    {"2 1 0 2 2 2 2 1 0 0 1 0 2 2 2 2 1 0 0 1 5 6 7 8 0.5 0 0", "token 25: end: 2 more tokens where the file should end"},
    {"2 1 0 1 1 1 1 4 5 6 0.25", "matrix H (M is not 2 square: not FC2D, so GFC2D): the storage"},
    {"2 1 0 1 1 1 1 4 0 1 3 1 3 1 1 1 5 7 8 0.5", "the number of columns is 3, outside 2 .. 2"},
    {"2 1 0 999999999 999999999 1 1", "the number of rows asks for 999999999 values"},
    {"2 1 0 40000 40000 40000 40000 1 2 3 4", "the number of rows asks for 40000 values"},
    {"2 1 1 2 2 99999999 1 1 2 2", "the number of blocks is 99999999, outside 0 .."},
    {"2 1 1 2 2 1 1 1 3 2 2 1 0 1 0 0 2 0 1 3 5 6 0.25", "ends of block rows is 3, outside 0 .. 2"},
    {"2 1 1 2 2 1 1 1 1 2 2 1 0 1 0 0 2 0 1 3 5 6 0.25", "ends of block rows: the last is 1, not 2"},
    {"2 1 1 2 2 4 2 2 2 1 1 2 3 4 0 2 4 0 1 0 1 0 2 1 1 2 0 3 3 5 6 0.25",
     "ends of block rows: 1 after 2: they may not decrease"},
    {"2 1 1 2 2 1 1 1 2 2 3 1 0 1 0 0 2 0 1 3 5 6 0.25", "the number of row pointers is 3, outside 1 .. 2"},
    {"2 1 1 2 2 1 1 1 2 2 2 2 0 1 0 0 2 0 1 3 5 6 0.25", "1 blocks, but 2 block columns"},
    {"2 1 1 2 2 1 1 1 2 2 2 1 1 1 0 0 2 0 1 3 5 6 0.25", "row pointers go from 1 to 1, not from 0 to 1"},
    {"2 1 1 2 2 1 1 1 2 2 2 1 1 0 0 0 2 0 1 3 5 6 0.25", "row pointer 0 after 1: they may not decrease"},
    {"2 1 1 2 2 1 1 1 2 2 2 1 0 1 1 0 2 0 1 3 5 6 0.25", "a block column is 1, outside 0 .. 0"},
    {"2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 7 2 0 1 3 5 6 0.25", "the number of the block is 7, outside 0 .. 0"},
    {"2 1 1 2 2 1 0 0 2 2 2 1 0 1 0 0 2 0 1 3 5 6 0.25", "ends of block rows: the last is 0, not 2"},
    {"2 1 2 2 2 4\nCSparse", "half of a symmetric matrix"},
    {"2 1 2 2 2 1\nSparse\n", "the line \"CSparse Version ...\" was expected"},
    {SPARSE, "line 3, token 8: matrix M: the file ends where the header of the sparse matrix should be"},
    {SPARSE "triplet: 2-by-3, nzmax: 1 nnz: 0\n5 6 0.25", "the sparse matrix is 2 by 3, not 2 by 2"},
    {SPARSE "triplet: 2 by 2\n5 6 0.25", "has not the form \"M-by-N, nzmax: A nnz: B\""},
    {SPARSE "triplet: 2-by-2, nzmax: 1 nnz: -1\n5 6 0.25", "the sparse matrix has -1 entries"},
    {SPARSE "triplet: 2-by-2, nzmax: 1 nnz: 1000000000\n5 6 0.25", "the matrix asks for 1000000000 values"},
    {SPARSE "triplet: 2-by-2, nzmax: 1 nnz: 1\n2 0 : 1 5 6 0.25", "a row is 2, outside 0 .. 1"},
    {SPARSE "triplet: 2-by-2, nzmax: 1 nnz: 1\n0 1e+06 : 1 5 6 0.25", "\"1e+06\" is not a whole number: a column was expected"},
    {SPARSE "triplet: 2-by-2, nzmax: 1 nnz: 1\n0 1 1 5 6 0.25", "\"1\" where \":\" should be"},
    {SPARSE "2-by-2, nzmax: 1 nnz: 1\ncol 0 : locations 0 to 1\n0 : 1\n 5 6 0.25", "the last location is 1, outside -1 .. 0"},
    {SPARSE "2-by-2, nzmax: 1 nnz: 2\ncol 0 : locations 0 to 0\n0 : 1\ncol 1 : locations 1 to 0\n 5 6 0.25",
     "2 entries announced, 1 found"},
    {SPARSE "2-by-2, nzmax: 1 nnz: 1\ncol 1 : locations 0 to 0\n0 : 1\n 5 6 0.25", "the number of the line is 1, outside 0 .. 0"},
    {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a pointer of Git LFS, not the data"},
};

static void test_bad_text(void **state)
{
    (void)state;
    size_t count = sizeof bad / sizeof bad[0];
    for (size_t k = 0; k < count; k++) {
        char message[512];
        watched_allocator watched;
        watched_begin(&watched, 0);
        cst_problem_file *file = cst_problem_file_read_image("text.dat", bad[k].text, strlen(bad[k].text), &watched.allocator,
                                                             message, sizeof message);
        assert_true(watched.largest < 200000);
        if (file)
            fail_msg("accepted, though: %s", bad[k].message);
        if (strncmp(message, "text.dat: ", 10) != 0 || !strstr(message, bad[k].message))
            fail_msg("expected \"%s\", got \"%s\"", bad[k].message, message);
        assert_int_equal(watched.held, 0);
    }
    print_message("%zu bad texts\n", count);
}

/* Every good text cut at every byte: refused, unless the cut only shortens the last number or the flag. */
static void test_truncated(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof same_problem / sizeof same_problem[0]; k++) {
        size_t length = strlen(same_problem[k]), mu = (size_t)(strstr(same_problem[k], "0.25") - same_problem[k]);
        for (size_t cut = 0; cut < length; cut++) {
            char message[512];
            cst_problem_file *file = cst_problem_file_read_image("cut", same_problem[k], cut, NULL, message, sizeof message);
            assert_true((file != NULL) == (cut > mu)); /* "0.2" is a number too */
            assert_true(file || message[0] != '\0');
            cst_problem_file_free(file);
        }
    }
}

/* A host that writes 0,5 for a half still reads these files. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    const char *chosen = NULL;
    for (int k = 0; k < 4 && !chosen; k++)
        chosen = setlocale(LC_NUMERIC, names[k]);
    if (!chosen) {
        print_message("no locale with a decimal comma is installed: skipped\n");
        skip();
    }
    char message[512], printed[16];
    cst_problem_file *file =
        cst_problem_file_read_image("good", same_problem[0], strlen(same_problem[0]), NULL, message, sizeof message);
    snprintf(printed, sizeof printed, "%.1f", 0.5);
    setlocale(LC_NUMERIC, "C");
    assert_non_null(file);
    assert_true(file->local.mu[0] == 0.25);
    assert_string_equal(printed, "0,5"); /* and gets its own back */
    cst_problem_file_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_problem_in_every_storage),
        cmocka_unit_test(test_local_or_global),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests_name("exchange: text files", tests, NULL, fixture_end);
}
