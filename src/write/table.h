/* A table of text in aligned columns.
 *
 *     cst_table *table = cst_table_new();
 *     cst_table_column(table, "problem", CST_ALIGN_LEFT);
 *     cst_table_column(table, "seconds", CST_ALIGN_RIGHT);
 *     cst_table_cell(table, "%s", name);
 *     cst_table_cell(table, "%.3g", seconds);      the row is full: the next cell begins another
 *     cst_table_print(table, stdout, &look);
 *     cst_table_free(table);
 *
 * If memory runs out the table prints a line saying so instead of its rows; no call before that needs checking. */
#ifndef CST_WRITE_TABLE_H
#define CST_WRITE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cst_table cst_table;

typedef enum cst_align { CST_ALIGN_LEFT = 0, CST_ALIGN_RIGHT } cst_align;

/* What a cell says beyond its text: shown in colour where there is colour. */
typedef enum cst_tone {
    CST_TONE_PLAIN = 0,
    CST_TONE_GOOD,
    CST_TONE_DOUBTFUL,
    CST_TONE_BAD,
    CST_TONE_FAINT,
    CST_TONE_STRONG
} cst_tone;

/* What the reader is: a zeroed look is plain text for a file or another program. */
typedef struct cst_look {
    bool colour;  /* ANSI escapes are understood */
    bool unicode; /* lines drawn with box characters, otherwise with dashes */
    int width;    /* columns to fit in, 0: as wide as it comes */
} cst_look;

cst_table *cst_table_new(void); /* NULL only if memory ran out; all functions take NULL */
void cst_table_free(cst_table *table);

/* All columns first. The heading is copied. */
void cst_table_column(cst_table *table, const char *heading, cst_align align);

/* The last column added gives way ("Global...00046") when the table is wider than the look allows. */
void cst_table_column_shrinks(cst_table *table);

void cst_table_cell(cst_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cst_table_tone(cst_table *table, cst_tone tone); /* of the last cell */
void cst_table_rule(cst_table *table);                /* a line above the next row */

/* Fills up the row with empty cells, if one is begun. */
void cst_table_row_end(cst_table *table);

void cst_table_print(const cst_table *table, FILE *to, const cst_look *look);

/* "3.2 µs", "41 ms", "1.25 s": three digits and a unit. */
void cst_seconds_text(double seconds, char *text, size_t size);

/* The same as a cell; "-" if it is NaN. */
void cst_table_seconds(cst_table *table, double seconds);

/* Text in a tone, on its own. */
void cst_look_print(FILE *to, const cst_look *look, cst_tone tone, const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
