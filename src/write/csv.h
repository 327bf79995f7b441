/* Writes comma-separated values (RFC 4180): a field with a comma, a quote or a line break is put in quotes. Unlike in RFC 4180,
 * lines end with \n alone. */
#ifndef CST_WRITE_CSV_H
#define CST_WRITE_CSV_H

#include <stdint.h>
#include <stdio.h>

typedef struct cst_csv {
    FILE *to;
    int fields; /* written in this row */
} cst_csv;

cst_csv cst_csv_begin(FILE *to);
void cst_csv_text(cst_csv *csv, const char *value);
void cst_csv_real(cst_csv *csv, double value); /* all digits; empty if not finite */
void cst_csv_integer(cst_csv *csv, int64_t value);
void cst_csv_row_end(cst_csv *csv);

/* Writes a row of column names; the last entry of the array is NULL. */
void cst_csv_header(cst_csv *csv, const char *const *names);

#endif
