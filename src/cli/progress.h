/* Progress and interruption of a solve: a live line on a terminal, a time limit, Ctrl-C.
 *
 * This example shows the progress of one solve:
 *
 *     cst_progress progress;
 *     cst_progress_begin(&progress, limit, "[%d/%d] %s", i, n, name);
 *     options.progress = cst_progress_step;
 *     options.progress_user = &progress;
 *     ... solve ...
 *     cst_progress_end(&progress); */
#ifndef CST_CLI_PROGRESS_H
#define CST_CLI_PROGRESS_H

#include <stdbool.h>

#include "capstan/friction.h"
#include "cli/exit_codes.h"

typedef struct cst_progress {
    char label[160];
    bool live;      /* standard error is a terminal */
    bool drawn;     /* there is a line to erase */
    bool timed_out; /* the limit stopped the solve */
    double started, shown, limit;
} cst_progress;

/* limit in seconds, 0: none. */
void cst_progress_begin(cst_progress *progress, double limit, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool cst_progress_step(void *progress, const cst_friction_progress *now);
void cst_progress_end(cst_progress *progress);

/* Shows a progress line while no solve is running; cst_progress_end erases the line. */
void cst_progress_note(cst_progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* After the first Ctrl-C (or SIGTERM), cst_interrupted returns true, and a solve with the callback cst_progress_step stops at its
 * next iteration. A second Ctrl-C ends the process at once. */
void cst_interrupt_install(void);
/* Sets the text that is printed on standard error at the first interrupt; the pointer is stored, so the text must stay valid.
 * NULL: nothing. */
void cst_interrupt_answer(const char *text);
bool cst_interrupted(void);

#endif
