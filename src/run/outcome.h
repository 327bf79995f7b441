/* outcome.json: how a run ended, or that it is under way; always there, always whole.
 *
 * "running" is written at the start and at every checkpoint: if it is found and nobody holds the directory's lock
 * (cst_run_directory_busy), the process was killed. */
#ifndef CST_RUN_OUTCOME_H
#define CST_RUN_OUTCOME_H

#include "run/checkpoint.h"

typedef enum cst_outcome_state {
    CST_OUTCOME_RUNNING = 0,
    CST_OUTCOME_FINISHED,
    CST_OUTCOME_INTERRUPTED,
    CST_OUTCOME_FAILED
} cst_outcome_state;

typedef struct cst_outcome {
    cst_outcome_state state;
    const char *reason; /* "the duration is reached", "PATH: cannot be written: ..." */
    const char *title;
    double duration;   /* s, asked for */
    double saved_time; /* s: what is on the disk reaches up to here */
    double tolerance;  /* of the friction solver */
    int threads;
    const char *const *warning; /* (warnings) about the scene */
    int warnings;
    const cst_run_totals *totals;
} cst_outcome;

const char *cst_outcome_state_name(cst_outcome_state state); /* "running", "finished", "interrupted", "failed" */

/* Whether outcome.json says so. False if there is none that can be read. */
bool cst_outcome_says(const cst_run_directory *directory, cst_outcome_state state);

/* On a full disk the directory's reserve is given up for it. False with a message if even that does not help. */
bool cst_outcome_write(const cst_run_directory *directory, const cst_outcome *outcome, char *message, size_t message_size);

#endif
