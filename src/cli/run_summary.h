/* What a run leaves on the screen when it has ended. */
#ifndef CST_CLI_RUN_SUMMARY_H
#define CST_CLI_RUN_SUMMARY_H

#include "run/run.h"
#include "write/table.h"

/* How it ended, its figures, where the results are and what to do with them. */
void cst_run_summary_print(FILE *to, const cst_look *look, const char *title, const char *directory,
                           const cst_run_result *result);
/* The same as one line of JSON: {"event": "end", ...}. */
void cst_run_summary_json(FILE *to, const char *directory, const cst_run_result *result);
/* What went wrong and what can be done about it; nothing if all is well. again: the command that resumes the run. */
void cst_run_summary_trouble(FILE *to, const char *again, const char *directory, const cst_run_result *result);

#endif
