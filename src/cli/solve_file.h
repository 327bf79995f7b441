/* One problem file from reading to judgement: what `capstan solve` does with each of its arguments. */
#ifndef CST_CLI_SOLVE_FILE_H
#define CST_CLI_SOLVE_FILE_H

#include "capstan/friction.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "exchange/problem_file.h"

typedef struct cst_solve_settings {
    cst_friction_options options; /* velocity_scale and progress are set per file */
    bool guess_from_file;
    double time_limit; /* seconds, 0: none */
    int repeat;        /* the best time of so many */
    const char *out;   /* directory for the answers, or NULL */
} cst_solve_settings;

typedef struct cst_solve_record {
    const cst_input *input;
    bool solvable; /* it was read and is a problem: what follows it here is filled */
    int dim, contacts;
    cst_friction_report report;
    bool symmetrised;
    double error;              /* E, in its own scale whatever the measure that was aimed at */
    double fischer_burmeister; /* in the scale of the measure aimed at */
    cst_status status;         /* of the report; a solve that ran into the time limit has missed its tolerance */
    bool interrupted;
    bool written_badly; /* the answer could not be written: message says why */
    char message[512];  /* empty unless something needs saying */
} cst_solve_record;

/* Reads, solves, writes the answer to settings->out. `progress` has begun. */
void cst_solve_file(const cst_input *input, const cst_solve_settings *settings, cst_progress *progress, cst_solve_record *record);

/* CST_EXIT_* for one record. */
int cst_solve_exit(const cst_solve_record *record);

#endif
