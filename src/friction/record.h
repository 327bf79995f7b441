/* Keeps the best iterate of a method that is not monotone, and decides whether to continue. */
#ifndef CST_FRICTION_RECORD_H
#define CST_FRICTION_RECORD_H

#include "friction/growth.h"
#include "friction/method.h"

typedef struct cst_record {
    const cst_system *system;
    const cst_method_settings *settings;
    cst_growth growth;
    int growing;  /* consecutive windows with growth */
    double *best; /* (n x dim) */
    double error; /* error of the last iterate */
    cst_method_result result;
} cst_record;

/* Returns false if memory ran out. */
bool cst_record_begin(cst_record *record, const cst_system *system, const cst_method_settings *settings, cst_arena *arena);

/* Keeps x if its error is the smallest so far; `y` is A x + b. Returns false if the impulses of x are impossibly large. */
bool cst_record_note(cst_record *record, const double *x, const double *y, int iterations);

/* Computes the error of x, with y = A x + b, after `iterations` iterations. Returns false to stop (solved, interrupted, out of
 * iterations, growing, not finite). */
bool cst_record_judge(cst_record *record, const double *x, const double *y, int iterations);

/* Sets x to the best iterate. */
cst_method_result cst_record_end(const cst_record *record, double *x);
/* Like cst_record_end, but also resets the arena to `mark`, its state before the record began. */
cst_method_result cst_record_close(const cst_record *record, double *x, cst_arena *arena, cst_arena_mark mark);

/* Replaces non-finite values of the initial guess by 0. */
void cst_record_mend(const cst_system *system, double *x);

#endif
