/* A small CSV file in memory, read by column name. Fields have no quotes and no commas inside: ours and PEERS.csv are like that. */
#ifndef CST_CLI_CSV_READ_H
#define CST_CLI_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cst_csv_file {
    char *text;
    char **field; /* (rows + 1) x columns, the first row are the names */
    int rows, columns;
} cst_csv_file;

/* false and a message "PATH: why". A probe of a run must match its checksum (run/probe_sums.h). A row with another number of fields than the first is a fault. Free it either way. */
bool cst_csv_file_read(cst_csv_file *file, const char *path, char *message, size_t message_size);
void cst_csv_file_free(cst_csv_file *file);

/* "" if there is no such column. row from 0. */
const char *cst_csv_field(const cst_csv_file *file, int row, const char *column);

/* NaN if it is empty or no number. */
double cst_csv_number(const cst_csv_file *file, int row, const char *column);

#endif
