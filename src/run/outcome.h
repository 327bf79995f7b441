/* The file outcome.json says how a run ended, or that the run is still in progress. During and after a run, the file outcome.json
 * always exists and is always complete.
 *
 * The state "running" is written to outcome.json at the start of a run and at every checkpoint before the run ends. After the
 * process of a run was killed, outcome.json still says "running", but no process holds the lock of the run directory
 * (cst_run_directory_busy). */
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
    const char *reason; /* why the run ended, for example "the duration is reached" */
    const char *title;
    double duration;   /* s, asked for */
    double saved_time; /* simulated time up to which results are on disk (s) */
    double tolerance;  /* of the friction solver */
    int threads;
    const char *const *warning; /* array (warnings): about the scene */
    int warnings;
    const cst_run_totals *totals;
} cst_outcome;

const char *cst_outcome_state_name(cst_outcome_state state); /* "running", "finished", "interrupted", "failed" */

/* Returns true if outcome.json contains the given state, and false if it contains another state or cannot be read. */
bool cst_outcome_says(const cst_run_directory *directory, cst_outcome_state state);

/* Writes outcome.json. If writing fails, for example on a full disk, the file .reserve (run_directory.h) is deleted to free disk
 * space, and outcome.json is written again. Returns false with a message if the second attempt fails, too. */
bool cst_outcome_write(const cst_run_directory *directory, const cst_outcome *outcome, char *message, size_t message_size);

#endif
