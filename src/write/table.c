#include "write/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "write/utf8.h"

enum { COLUMNS_MAX = 24, GAP = 2, SHORTEST = 12 };

typedef struct cell {
    char *text;
    cst_tone tone;
    bool rule_above; /* true if a horizontal line is drawn above the row; only set in the first cell of the row */
} cell;

struct cst_table {
    int columns;
    char *heading[COLUMNS_MAX];
    cst_align align[COLUMNS_MAX];
    bool shrinks[COLUMNS_MAX];
    cell *cells;
    int count, room;
    bool rule_next;
    bool failed;
};

cst_table *cst_table_new(void)
{
    return calloc(1, sizeof(cst_table));
}

void cst_table_free(cst_table *table)
{
    if (!table)
        return;
    for (int i = 0; i < table->columns; i++)
        free(table->heading[i]);
    for (int i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table);
}

void cst_table_column(cst_table *table, const char *heading, cst_align align)
{
    if (!table || table->columns == COLUMNS_MAX)
        return;
    char *copy = strdup(heading);
    if (!copy) {
        table->failed = true;
        return;
    }
    table->heading[table->columns] = copy;
    table->align[table->columns++] = align;
}

void cst_table_column_shrinks(cst_table *table)
{
    if (table && table->columns > 0)
        table->shrinks[table->columns - 1] = true;
}

static bool make_room(cst_table *table)
{
    if (table->count < table->room)
        return true;
    int room = table->room ? 2 * table->room : 64;
    cell *grown = realloc(table->cells, (size_t)room * sizeof *grown);
    if (!grown)
        return false;
    table->cells = grown;
    table->room = room;
    return true;
}

void cst_table_cell(cst_table *table, const char *format, ...)
{
    if (!table || table->failed || table->columns == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    if (!text || !make_room(table)) {
        free(text);
        table->failed = true;
        return;
    }
    table->cells[table->count++] = (cell){.text = text, .rule_above = table->rule_next};
    table->rule_next = false;
}

void cst_table_tone(cst_table *table, cst_tone tone)
{
    if (table && table->count > 0)
        table->cells[table->count - 1].tone = tone;
}

void cst_table_rule(cst_table *table)
{
    if (table && table->count > 0) /* no horizontal line is drawn above the first row, because there is already a line below the
                                    * headings */
        table->rule_next = true;
}

void cst_table_row_end(cst_table *table)
{
    while (table && !table->failed && table->columns && table->count % table->columns != 0)
        cst_table_cell(table, "%s", "");
}

void cst_seconds_text(double seconds, char *text, size_t size)
{
    if (seconds < 1e-3)
        snprintf(text, size, "%.3g µs", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, size, "%.3g ms", 1e3 * seconds);
    else
        snprintf(text, size, "%.3g s", seconds);
}

void cst_table_seconds(cst_table *table, double seconds)
{
    char text[32] = "-";
    if (!isnan(seconds))
        cst_seconds_text(seconds, text, sizeof text);
    cst_table_cell(table, "%s", text);
}

/* ----------------------------------------------------------------------------------------------------------------- printing */

static const char *tone_code(const cst_look *look, cst_tone tone)
{
    static const char *const code[] = {"", "\033[32m", "\033[33m", "\033[31m", "\033[2m", "\033[1m"};
    return look->colour ? code[tone] : "";
}

static void spaces(FILE *to, int count)
{
    for (int i = 0; i < count; i++)
        fputc(' ', to);
}

/* Prints only the start and the end of a text that is too long for its column, because names often differ only there. */
static int print_cut(FILE *to, const cst_look *look, const char *text, int width)
{
    int whole = cst_utf8_width(text);
    if (whole <= width) {
        fputs(text, to);
        return whole;
    }
    const char *dots = look->unicode ? "…" : "..";
    int kept = width - cst_utf8_width(dots);
    int head = kept / 2, tail = kept - head;
    size_t skip = cst_utf8_prefix(text, whole - tail);
    fwrite(text, 1, cst_utf8_prefix(text, head), to);
    fputs(dots, to);
    fputs(text + skip, to);
    return head + cst_utf8_width(dots) + cst_utf8_width(text + skip);
}

static void print_row(const cst_table *table, FILE *to, const cst_look *look, const int *width, char *const *text,
                      const cst_tone *tone)
{
    int owed = 0; /* spaces that are written only if text follows, so that no line ends in spaces */
    for (int i = 0; i < table->columns; i++) {
        int own = cst_utf8_width(text[i]);
        int shown = own < width[i] ? own : width[i];
        int before = table->align[i] == CST_ALIGN_RIGHT ? width[i] - shown : 0;
        if (own > 0) {
            const char *code = tone_code(look, tone[i]);
            spaces(to, owed + before);
            fputs(code, to);
            shown = print_cut(to, look, text[i], width[i]);
            fputs(*code ? "\033[0m" : "", to);
            owed = width[i] - before - shown + GAP;
        } else {
            owed += width[i] + GAP;
        }
    }
    fputc('\n', to);
}

static void print_rule(FILE *to, const cst_look *look, int total)
{
    fputs(tone_code(look, CST_TONE_FAINT), to);
    for (int i = 0; i < total; i++)
        fputs(look->unicode ? "─" : "-", to);
    fputs(look->colour ? "\033[0m\n" : "\n", to);
}

static int total_width(const cst_table *table, const int *width)
{
    int total = GAP * (table->columns - 1);
    for (int i = 0; i < table->columns; i++)
        total += width[i];
    return total;
}

void cst_table_print(const cst_table *table, FILE *to, const cst_look *look)
{
    if (!table || table->failed) {
        fputs("(no memory left for this table)\n", to);
        return;
    }
    int width[COLUMNS_MAX] = {0};
    for (int i = 0; i < table->columns; i++)
        width[i] = cst_utf8_width(table->heading[i]);
    for (int i = 0; i < table->count; i++) {
        int own = cst_utf8_width(table->cells[i].text);
        if (own > width[i % table->columns])
            width[i % table->columns] = own;
    }
    for (int i = 0; look->width > 0 && i < table->columns; i++) {
        int excess = total_width(table, width) - look->width;
        if (!table->shrinks[i] || excess <= 0)
            continue;
        int least = width[i] < SHORTEST ? width[i] : SHORTEST;
        width[i] = width[i] - excess > least ? width[i] - excess : least;
    }

    int total = total_width(table, width);
    cst_tone tone[COLUMNS_MAX] = {0};
    char *text[COLUMNS_MAX] = {0};
    for (int i = 0; i < table->columns; i++) {
        tone[i] = CST_TONE_STRONG;
        text[i] = table->heading[i];
    }
    print_row(table, to, look, width, text, tone);
    print_rule(to, look, total);
    char empty[1] = "";
    for (int first = 0; first < table->count; first += table->columns) {
        if (table->cells[first].rule_above)
            print_rule(to, look, total);
        for (int i = 0; i < table->columns; i++) {
            bool there = first + i < table->count;
            text[i] = there ? table->cells[first + i].text : empty;
            tone[i] = there ? table->cells[first + i].tone : CST_TONE_PLAIN;
        }
        print_row(table, to, look, width, text, tone);
    }
}

void cst_look_print(FILE *to, const cst_look *look, cst_tone tone, const char *format, ...)
{
    const char *code = tone_code(look, tone);
    fputs(code, to);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(to, format, arguments);
    va_end(arguments);
    fputs(*code ? "\033[0m" : "", to);
}
