/* Prints the summary of a run when it has ended. */
#ifndef CST_CLI_RUN_SUMMARY_H
#define CST_CLI_RUN_SUMMARY_H

#include "cli/memory_limit.h"
#include "run/run.h"
#include "write/table.h"

/* Prints how the run ended, its statistics, the directory of the results, and commands that can be used next. */
void cst_run_summary_print(FILE *to, const cst_look *look, const char *title, const char *directory,
                           const cst_run_result *result);
/* Prints the summary of a run as one line of JSON: {"event": "end", ...}. */
void cst_run_summary_json(FILE *to, const char *directory, const cst_run_result *result);
/* Prints what went wrong in the run and possible remedies; prints nothing if nothing went wrong. `again`: the command that
 * resumes the run. */
void cst_run_summary_trouble(FILE *to, const char *again, const char *directory, const cst_memory_limit *limit,
                             const cst_run_result *result);

#endif
