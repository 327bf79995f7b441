/* Records of `capstan solve` for a reader: a table with a summary, or JSON lines. */
#ifndef CST_CLI_SOLVE_REPORT_H
#define CST_CLI_SOLVE_REPORT_H

#include <stdio.h>

#include "cli/solve_file.h"

void cst_solve_print_table(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record, int count);

/* One line, for programs. A file that could not be read has a name, a status and a message. */
void cst_solve_print_json(FILE *to, const cst_solve_settings *settings, const cst_solve_record *record);

#endif
