/* Progress of a run: one live line on a terminal, or occasional lines of JSON for another program.
 *
 * On a narrow terminal, the last fields of the progress line are left out. */
#ifndef CST_CLI_RUN_PROGRESS_H
#define CST_CLI_RUN_PROGRESS_H

#include "run/run.h"
#include "write/table.h"

typedef enum cst_run_show { CST_SHOW_BAR = 0, CST_SHOW_JSON, CST_SHOW_NONE } cst_run_show;

typedef struct cst_run_view {
    cst_run_show show;
    const char *title;
    cst_look look;   /* colours and width of the terminal on which the progress line appears (standard error) */
    bool drawn;      /* there is a line to erase */
    double started;  /* wall clock, s */
    double shown;    /* time of the last drawing */
    double measured; /* time at which the speed of the run was last measured */
    int64_t measured_steps;
    double measured_time;
    double step_rate, pace; /* accepted steps and simulated seconds, each per second of wall clock time (moving averages) */
} cst_run_view;

void cst_run_view_begin(cst_run_view *view, cst_run_show show, const char *title);
/* Callback for cst_run; returns false once Ctrl-C has been pressed. */
bool cst_run_view_step(void *view, const cst_run_progress *now);
void cst_run_view_end(cst_run_view *view);

#endif
