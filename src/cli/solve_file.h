/* Processes one problem file of `capstan solve`: reads it, solves it and evaluates the answer. */
#ifndef CST_CLI_SOLVE_FILE_H
#define CST_CLI_SOLVE_FILE_H

#include "capstan/friction.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "exchange/problem_file.h"

typedef struct cst_solve_settings {
    /* solver options; for each file, cst_solve_file uses a copy with its own callback `progress` and, for the Fischer-Burmeister
     * residual, its own velocity_scale */
    cst_friction_options options;
    bool guess_from_file;
    double time_limit; /* seconds, 0: none */
    int repeat;        /* number of times that each problem is solved; the shortest time is reported */
    const char *out;   /* directory for the answers, or NULL */
} cst_solve_settings;

typedef struct cst_solve_record {
    const cst_input *input;
    /* false if the file cannot be read, the problem is invalid or has not the requested form, or memory ran out; only `input`,
     * `status` and `message` are then valid */
    bool solvable;
    int dim, contacts;
    cst_friction_report report;
    bool symmetrised;
    double error;              /* residual E, always computed with the default velocity scale */
    double fischer_burmeister; /* Fischer-Burmeister residual with the velocity scale that the solver used */
    /* status that is reported; if the time limit stopped the solver, the status is CST_TOLERANCE_MISSED */
    cst_status status;
    bool interrupted;
    bool written_badly; /* true if the solution could not be written; `message` has the reason */
    char message[512];  /* message for the user; empty if there is nothing to report */
} cst_solve_record;

/* Reads and solves the problem and writes the answer to settings->out. `progress` has begun. */
void cst_solve_file(const cst_input *input, const cst_solve_settings *settings, cst_progress *progress, cst_solve_record *record);

/* Returns CST_EXIT_* for one record. */
int cst_solve_exit(const cst_solve_record *record);

#endif
