/* What a run shows while it runs: one live line on a terminal, or a line of JSON now and then for another program.
 *
 * The line gives way to the width: on a narrow terminal it keeps the bar, the time and the share that is done. */
#ifndef CST_CLI_RUN_PROGRESS_H
#define CST_CLI_RUN_PROGRESS_H

#include "run/run.h"
#include "write/table.h"

typedef enum cst_run_show { CST_SHOW_BAR = 0, CST_SHOW_JSON, CST_SHOW_NONE } cst_run_show;

typedef struct cst_run_view {
    cst_run_show show;
    const char *title;
    cst_look look;   /* of standard error, where the line is */
    bool drawn;      /* there is a line to wipe */
    double started;  /* wall clock, s */
    double shown;    /* when it was drawn last */
    double measured; /* when the speed was measured last */
    int64_t measured_steps;
    double measured_time;
    double step_rate, pace; /* per second, smoothed: accepted steps, and simulated time */
} cst_run_view;

void cst_run_view_begin(cst_run_view *view, cst_run_show show, const char *title);
/* A callback of cst_run: false once Ctrl-C has been pressed. */
bool cst_run_view_step(void *view, const cst_run_progress *now);
void cst_run_view_end(cst_run_view *view);

#endif
