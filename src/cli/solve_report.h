/* Prints the results of `capstan solve`, one record for each problem file: as a table with a summary, or as JSON lines. */
#ifndef CST_CLI_SOLVE_REPORT_H
#define CST_CLI_SOLVE_REPORT_H

#include <stdio.h>

#include "cli/solve_file.h"

void cst_solve_print_table(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record, int count);

/* Prints one line for programs. The record of a problem that could not be solved at all has only a name, a path, a status and a
 * message. */
void cst_solve_print_json(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record);

#endif
