/* The text of a matrix begins with "storage rows columns"; the layout after these numbers depends on the storage.
 *
 * Storage 0 (dense): the text repeats the numbers of rows and columns, and continues with the values column by column.
 *
 * Storage 1 (sparse blocks): the text continues with the number of blocks, the numbers of block rows and block columns, the end
 * index of each block row, and the end index of each block column. The text of a sparse block matrix continues with the lengths
 * of two arrays, and then the two arrays: the pointers of the block rows, and the block column of each block. The text of a
 * sparse block matrix ends with the blocks, each with its number and its values column by column. The text of a sparse block
 * matrix that has no blocks ends after the number of blocks.
 *
 * Storage 2 (sparse): the text continues with a number for the kind of sparse matrix in Siconos, a line "CSparse Version ..." and
 * a header line. The text of a sparse matrix ends with its entries, as the function cs_print of CSparse writes them. */
#include "exchange/siconos_matrix.h"

#include <stdio.h>
#include <string.h>

/* The list of the entries of a matrix, filled while the matrix is read. Zero entries are not stored, because a matrix in dense
 * storage consists mostly of zeros. */
typedef struct entry_list {
    int32_t *row, *column;
    double *value;
    int64_t count, capacity;
} entry_list;

static bool begin_list(cst_tokens *tokens, cst_arena *scratch, double capacity, entry_list *list)
{
    if (!cst_tokens_room(tokens, "the matrix", capacity))
        return false;
    *list = (entry_list){.capacity = (int64_t)capacity};
    list->row = CST_TAKE(scratch, int32_t, list->capacity);
    list->column = CST_TAKE(scratch, int32_t, list->capacity);
    list->value = CST_TAKE(scratch, double, list->capacity);
    return !scratch->failed || cst_fault_memory(tokens->fault);
}

static void add_entry(entry_list *list, int64_t row, int64_t column, double value)
{
    if (value == 0.0)
        return;
    list->row[list->count] = (int32_t)row;
    list->column[list->count] = (int32_t)column;
    list->value[list->count++] = value;
}

/* -------------------------------------------------------------------------------------------------------------- dense */

static bool read_dense(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *scratch, entry_list *list)
{
    int64_t again;
    if (!cst_tokens_integer(tokens, "the number of rows, again", rows, rows, &again) ||
        !cst_tokens_integer(tokens, "the number of columns, again", columns, columns, &again) ||
        !begin_list(tokens, scratch, (double)rows * (double)columns, list))
        return false;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            double value;
            if (!cst_tokens_real(tokens, "a value", &value))
                return false;
            add_entry(list, i, j, value);
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- sparse block */

static int64_t *read_array(cst_tokens *tokens, cst_arena *scratch, const char *what, int64_t count, int64_t low, int64_t high)
{
    int64_t *value = cst_tokens_array(tokens, what, count, sizeof *value, scratch);
    for (int64_t k = 0; value && k < count; k++)
        if (!cst_tokens_integer(tokens, what, low, high, &value[k]))
            return NULL;
    return value;
}

/* Reads the end indices of the block rows or block columns: the indices must not decrease, and the last one must be `size`. */
static int64_t *read_ends(cst_tokens *tokens, cst_arena *scratch, const char *what, int64_t count, int64_t size)
{
    int64_t *end = read_array(tokens, scratch, what, count, 0, size);
    if (!end)
        return NULL;
    for (int64_t k = 1; k < count; k++)
        if (end[k] < end[k - 1]) {
            cst_tokens_record(tokens, "%s: %lld after %lld: they may not decrease", what, (long long)end[k],
                              (long long)end[k - 1]);
            return NULL;
        }
    if ((count > 0 ? end[count - 1] : 0) != size) {
        cst_tokens_record(tokens, "%s: the last is %lld, not %lld", what, (long long)(count > 0 ? end[count - 1] : 0),
                          (long long)size);
        return NULL;
    }
    return end;
}

typedef struct block_layout {
    int64_t blocks, pointers;
    const int64_t *row_end, *column_end;
    const int64_t *pointer; /* (pointers) */
    const int64_t *column;  /* (blocks) */
} block_layout;

static bool read_block_layout(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *scratch, block_layout *layout)
{
    int64_t most = cst_tokens_most_left(tokens), block_rows, block_columns, listed;
    if (!cst_tokens_integer(tokens, "the number of block rows", 0, rows, &block_rows) ||
        !cst_tokens_integer(tokens, "the number of block columns", 0, columns, &block_columns))
        return false;
    layout->row_end = read_ends(tokens, scratch, "ends of block rows", block_rows, rows);
    layout->column_end = layout->row_end ? read_ends(tokens, scratch, "ends of block columns", block_columns, columns) : NULL;
    /* some files omit the pointers of the last block rows if these rows have no blocks */
    if (!layout->column_end || !cst_tokens_integer(tokens, "the number of row pointers", 1, block_rows + 1, &layout->pointers) ||
        !cst_tokens_integer(tokens, "the number of block columns listed", 0, most, &listed))
        return false;
    if (listed != layout->blocks)
        return cst_tokens_fault(tokens, "%lld blocks, but %lld block columns", (long long)layout->blocks, (long long)listed);
    layout->pointer = read_array(tokens, scratch, "a row pointer", layout->pointers, 0, layout->blocks);
    if (!layout->pointer)
        return false;
    for (int64_t i = 1; i < layout->pointers; i++)
        if (layout->pointer[i] < layout->pointer[i - 1])
            return cst_tokens_fault(tokens, "row pointer %lld after %lld: they may not decrease", (long long)layout->pointer[i],
                                    (long long)layout->pointer[i - 1]);
    if (layout->pointer[0] != 0 || layout->pointer[layout->pointers - 1] != layout->blocks)
        return cst_tokens_fault(tokens, "row pointers go from %lld to %lld, not from 0 to %lld", (long long)layout->pointer[0],
                                (long long)layout->pointer[layout->pointers - 1], (long long)layout->blocks);
    layout->column = read_array(tokens, scratch, "a block column", layout->blocks, 0, block_columns - 1);
    return layout->column != NULL;
}

static bool read_block(cst_tokens *tokens, int64_t first_row, int64_t end_row, int64_t first_column, int64_t end_column,
                       entry_list *list)
{
    for (int64_t j = first_column; j < end_column; j++)
        for (int64_t i = first_row; i < end_row; i++) {
            double value;
            if (!cst_tokens_real(tokens, "a value", &value))
                return false;
            add_entry(list, i, j, value);
        }
    return true;
}

static bool read_sparse_block(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *scratch, entry_list *list)
{
    block_layout layout = {0};
    if (!cst_tokens_integer(tokens, "the number of blocks", 0, cst_tokens_most_left(tokens), &layout.blocks))
        return false;
    if (layout.blocks == 0)
        return begin_list(tokens, scratch, 0.0, list);
    if (!read_block_layout(tokens, rows, columns, scratch, &layout))
        return false;
    double values = 0.0;
    for (int64_t i = 0; i + 1 < layout.pointers; i++)
        for (int64_t k = layout.pointer[i]; k < layout.pointer[i + 1]; k++) {
            int64_t j = layout.column[k];
            values += (double)(layout.row_end[i] - (i > 0 ? layout.row_end[i - 1] : 0)) *
                      (double)(layout.column_end[j] - (j > 0 ? layout.column_end[j - 1] : 0));
        }
    if (!begin_list(tokens, scratch, values, list))
        return false;
    for (int64_t i = 0; i + 1 < layout.pointers; i++)
        for (int64_t k = layout.pointer[i]; k < layout.pointer[i + 1]; k++) {
            int64_t j = layout.column[k], number;
            if (!cst_tokens_integer(tokens, "the number of the block", k, k, &number) ||
                !read_block(tokens, i > 0 ? layout.row_end[i - 1] : 0, layout.row_end[i], j > 0 ? layout.column_end[j - 1] : 0,
                            layout.column_end[j], list))
                return false;
        }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------- sparse */

typedef enum sparse_kind { BY_TRIPLET, BY_COLUMN, BY_ROW } sparse_kind;

/* Parses a header line such as "triplet: 900-by-900, nzmax: 900 nnz: 900", "900-by-138, nzmax: 724 nnz: 724, 1-norm: 2.8247" or
 * "csr: ..." */
static bool read_sparse_header(cst_tokens *tokens, int64_t rows, int64_t columns, sparse_kind *kind, int64_t *entries)
{
    const char *line;
    size_t length;
    char text[192];
    if (!cst_tokens_line(tokens, "the line \"CSparse Version ...\"", &line, &length))
        return false;
    if (length < 7 || memcmp(line, "CSparse", 7) != 0)
        return cst_tokens_fault(tokens, "the line \"CSparse Version ...\" was expected");
    if (!cst_tokens_line(tokens, "the header of the sparse matrix", &line, &length))
        return false;
    length = length < sizeof text - 1 ? length : sizeof text - 1;
    memcpy(text, line, length);
    text[length] = '\0';
    const char *at = text;
    *kind = BY_COLUMN;
    if (strncmp(at, "triplet:", 8) == 0) {
        *kind = BY_TRIPLET;
        at += 8;
    } else if (strncmp(at, "csr:", 4) == 0) {
        *kind = BY_ROW;
        at += 4;
    }
    long long m, n, nnz;
    const char *nnz_at = strstr(at, "nnz:");
    if (sscanf(at, " %18lld-by-%18lld,", &m, &n) != 2 || !nnz_at || sscanf(nnz_at, "nnz: %18lld", &nnz) != 1)
        return cst_tokens_fault(tokens, "the header of the sparse matrix has not the form \"M-by-N, nzmax: A nnz: B\"");
    if (m != rows || n != columns)
        return cst_tokens_fault(tokens, "the sparse matrix is %lld by %lld, not %lld by %lld", m, n, (long long)rows,
                                (long long)columns);
    if (nnz < 0)
        return cst_tokens_fault(tokens, "the sparse matrix has %lld entries", nnz);
    *entries = nnz;
    return true;
}

/* Reads "row column : value" */
static bool read_sparse_triplets(cst_tokens *tokens, int64_t rows, int64_t columns, int64_t entries, entry_list *list)
{
    for (int64_t k = 0; k < entries; k++) {
        int64_t i, j;
        double value;
        if (!cst_tokens_integer(tokens, "a row", 0, rows - 1, &i) ||
            !cst_tokens_integer(tokens, "a column", 0, columns - 1, &j) || !cst_tokens_word(tokens, ":") ||
            !cst_tokens_real(tokens, "a value", &value))
            return false;
        add_entry(list, i, j, value);
    }
    return true;
}

/* Reads "col j : locations a to b", then b - a + 1 times "row : value"; if the matrix is stored by rows, the words "col" and
 * "row" are exchanged */
static bool read_sparse_lines(cst_tokens *tokens, const char *word, int64_t lines, int64_t across, int64_t entries,
                              entry_list *list)
{
    int64_t done = 0;
    for (int64_t line = 0; line < lines; line++) {
        int64_t number, first, last;
        if (!cst_tokens_word(tokens, word) || !cst_tokens_integer(tokens, "the number of the line", line, line, &number) ||
            !cst_tokens_word(tokens, ":") || !cst_tokens_word(tokens, "locations") ||
            !cst_tokens_integer(tokens, "the first location", done, done, &first) || !cst_tokens_word(tokens, "to") ||
            !cst_tokens_integer(tokens, "the last location", done - 1, entries - 1, &last))
            return false;
        for (; done <= last; done++) {
            int64_t index;
            double value;
            if (!cst_tokens_integer(tokens, "an index", 0, across - 1, &index) || !cst_tokens_word(tokens, ":") ||
                !cst_tokens_real(tokens, "a value", &value))
                return false;
            if (word[0] == 'c')
                add_entry(list, index, line, value);
            else
                add_entry(list, line, index, value);
        }
    }
    return done == entries || cst_tokens_fault(tokens, "%lld entries announced, %lld found", (long long)entries, (long long)done);
}

static bool read_sparse(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *scratch, entry_list *list)
{
    enum { HALF_TRIPLET = 4 };
    int64_t origin, entries;
    sparse_kind kind;
    if (!cst_tokens_integer(tokens, "the origin of the sparse matrix", 0, HALF_TRIPLET, &origin))
        return false;
    if (origin == HALF_TRIPLET)
        return cst_tokens_fault(tokens, "half of a symmetric matrix: not supported");
    if (!read_sparse_header(tokens, rows, columns, &kind, &entries) || !begin_list(tokens, scratch, (double)entries, list))
        return false;
    if (kind == BY_TRIPLET)
        return read_sparse_triplets(tokens, rows, columns, entries, list);
    if (kind == BY_COLUMN)
        return read_sparse_lines(tokens, "col", columns, rows, entries, list);
    return read_sparse_lines(tokens, "row", rows, columns, entries, list);
}

/* ------------------------------------------------------------------------------------------------------------- matrix */

bool cst_siconos_matrix_read(cst_tokens *tokens, int64_t rows, int64_t columns, cst_arena *arena, cst_arena *scratch,
                             cst_csr *out)
{
    static bool (*const readers[])(cst_tokens *, int64_t, int64_t, cst_arena *, entry_list *) = {read_dense, read_sparse_block,
                                                                                                 read_sparse};
    int64_t storage, any = INT32_MAX - 8;
    if (!cst_tokens_integer(tokens, "the storage (0 dense, 1 sparse block, 2 sparse)", 0, 2, &storage) ||
        !cst_tokens_integer(tokens, "the number of rows", rows < 0 ? 0 : rows, rows < 0 ? any : rows, &rows) ||
        !cst_tokens_integer(tokens, "the number of columns", columns < 0 ? 0 : columns, columns < 0 ? any : columns, &columns))
        return false;
    /* In every format, vectors with one number for each row and one number for each column follow the matrix. A matrix is
     * therefore invalid if the number of its rows or columns exceeds the number of tokens that remain in the file. */
    if (!cst_tokens_room(tokens, "the number of rows", (double)rows) ||
        !cst_tokens_room(tokens, "the number of columns", (double)columns))
        return false;
    cst_arena_mark mark = cst_arena_mark_now(scratch);
    entry_list list;
    bool ok = readers[storage](tokens, rows, columns, scratch, &list);
    if (ok) {
        cst_triplets triplets = {(int32_t)rows, (int32_t)columns, list.count, list.row, list.column, list.value};
        ok = cst_csr_from_triplets(arena, scratch, &triplets, out) || cst_fault_memory(tokens->fault);
    }
    cst_arena_release(scratch, mark);
    return ok;
}
