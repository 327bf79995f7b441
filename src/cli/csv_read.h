/* A small CSV file in memory, accessed by column name. Quotes are not interpreted: every comma ends a field, as in the CSV files
 * of probes. */
#ifndef CST_CLI_CSV_READ_H
#define CST_CLI_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_csv_file {
    char *text;
    char **field; /* array ((rows + 1) x columns) of the fields; the first row holds the names of the columns */
    int rows, columns;
} cst_csv_file;

/* Reads a CSV file; on failure, returns false and writes a message. The CSV file of a run's probe must match its checksum
 * (run/probe_sums.h). A row that has not as many fields as the first row is an error. Free the file in either case. */
bool cst_csv_file_read(cst_csv_file *file, const char *path, char *message, size_t message_size);
void cst_csv_file_free(cst_csv_file *file);

/* Returns the field in a row and a column, or "" if there is no such column. `row` counts from 0. */
const char *cst_csv_field(const cst_csv_file *file, int row, const char *column);

/* Returns a field as a number, or NaN if the field is empty or not a number. */
double cst_csv_number(const cst_csv_file *file, int row, const char *column);

#endif
