/* Reads strands from a table: a line of column names, then rows "strand, x, y, z" or "strand, x, y, z, radius". Consecutive
 * rows with the same number in the column "strand" form one strand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "groom/strand_file.h"

enum { COLUMNS_MOST = 5, LONGEST = 64 };

typedef struct table {
    const char *at, *end;
    long line;
    cst_fault *fault;
} table;

static bool read_cell(table *t, const char *line_end, int column, double *out)
{
    static const char *const name[] = {"strand", "x", "y", "z", "radius"};
    char text[LONGEST], *stop;
    const char *comma = memchr(t->at, ',', (size_t)(line_end - t->at)), *end = comma ? comma : line_end;
    while (t->at < end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
    while (end > t->at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    const size_t length = (size_t)(end - t->at);
    if (length == 0 || length >= LONGEST)
        return cst_fault_set(t->fault, "line %ld: %s is missing or too long", t->line, name[column]);
    memcpy(text, t->at, length);
    text[length] = '\0';
    *out = strtod(text, &stop);
    if (stop != text + length || length == 0 || !isfinite(*out))
        return cst_fault_set(t->fault, "line %ld: %s is not a finite number", t->line, name[column]);
    t->at = comma ? comma + 1 : line_end;
    return true;
}

static int columns_of(const char *from, const char *to)
{
    int columns = 1;
    for (; from < to; from++)
        columns += *from == ',';
    return columns;
}

static bool is_blank(const char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != ' ' && *from != '\t' && *from != '\r')
            return false;
    return true;
}

/* Returns true if the first cell of a line is a number, which is not the name of a column. */
static bool begins_with_number(const char *from, const char *to)
{
    static const char first[] = "0123456789+-.";
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    return from < to && memchr(first, *from, strlen(first));
}

static bool read_row(table *t, const char *line_end, int columns, bool *open, double *last, cst_strand_file *out)
{
    double cell[COLUMNS_MOST] = {0};
    const int here = columns_of(t->at, line_end);
    if (here != columns)
        return cst_fault_set(t->fault, "line %ld: %d columns, the first line has %d", t->line, here, columns);
    for (int k = 0; k < columns; k++)
        if (!read_cell(t, line_end, k, cell + k))
            return false;
    if (cell[4] < 0.0)
        return cst_fault_set(t->fault, "line %ld: radius is negative", t->line);
    if (*open && cell[0] != *last && !cst_strands_close(out, t->fault))
        return false;
    *open = true;
    *last = cell[0];
    return cst_strands_add(out, cell + 1, cell[4], t->fault);
}

bool cst_strands_read_csv(const char *text, size_t bytes, cst_strand_file *out, cst_fault *fault)
{
    table t = {.at = text, .end = text + bytes, .line = 1, .fault = fault};
    int columns = 0;
    bool open = false;
    double last = 0.0;
    for (; t.at < t.end; t.line++) {
        const char *newline = memchr(t.at, '\n', (size_t)(t.end - t.at)), *line_end = newline ? newline : t.end;
        if (columns == 0) {
            columns = columns_of(t.at, line_end);
            if (columns != 4 && columns != 5)
                return cst_fault_set(fault, "line 1: %d columns: expected strand,x,y,z or strand,x,y,z,radius", columns);
            if (begins_with_number(t.at, line_end))
                return cst_fault_set(fault, "line 1: holds numbers: expected names of columns (strand,x,y,z)");
        } else if (!is_blank(t.at, line_end) && !read_row(&t, line_end, columns, &open, &last, out)) {
            return false;
        }
        t.at = newline ? newline + 1 : t.end;
    }
    return !open || cst_strands_close(out, fault);
}
