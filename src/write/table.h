/* A table of text in aligned columns.
 *
 * First add all columns with cst_table_column. After the columns, add the cells of the table with cst_table_cell, row by row:
 * when a row is full, the next cell begins another row. Finally call cst_table_print and cst_table_free.
 *
 * If memory runs out, the table prints an error line instead of its rows, so the caller need not check the results of earlier
 * calls. */
#ifndef CST_WRITE_TABLE_H
#define CST_WRITE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cst_table cst_table;

typedef enum cst_align { CST_ALIGN_LEFT = 0, CST_ALIGN_RIGHT } cst_align;

/* Meaning of a cell, for example an error, which is shown by a colour if colours are available. */
typedef enum cst_tone {
    CST_TONE_PLAIN = 0,
    CST_TONE_GOOD,
    CST_TONE_DOUBTFUL,
    CST_TONE_BAD,
    CST_TONE_FAINT,
    CST_TONE_STRONG
} cst_tone;

/* Properties of the output. If all properties in the struct cst_look (colour, unicode, width) are zero, a table is printed as
 * plain text for a file or another program. */
typedef struct cst_look {
    bool colour;  /* ANSI escapes are supported */
    bool unicode; /* true: lines are drawn with box characters, false: with dashes */
    int width;    /* width in columns, 0: unlimited */
} cst_look;

cst_table *cst_table_new(void); /* NULL: out of memory; accepted everywhere */
void cst_table_free(cst_table *table);

/* Add all columns first. The heading is copied. */
void cst_table_column(cst_table *table, const char *heading, cst_align align);

/* Marks the last column added: if the table is wider than look->width, the texts of this column are shortened
 * ("Global..00046"). */
void cst_table_column_shrinks(cst_table *table);

void cst_table_cell(cst_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cst_table_tone(cst_table *table, cst_tone tone); /* of the last cell */
void cst_table_rule(cst_table *table);                /* a line above the next row */

/* If a row has been started, fills the rest of the row with empty cells. */
void cst_table_row_end(cst_table *table);

void cst_table_print(const cst_table *table, FILE *to, const cst_look *look);

/* Formats seconds as "3.2 µs", "41 ms", "1.25 s": at most three significant digits and a unit. */
void cst_seconds_text(double seconds, char *text, size_t size);

/* Adds a cell with the text of cst_seconds_text, or "-" for NaN. */
void cst_table_seconds(cst_table *table, double seconds);

/* Prints a text outside a table, in the colour of `tone` if colours are available. */
void cst_look_print(FILE *to, const cst_look *look, cst_tone tone, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
