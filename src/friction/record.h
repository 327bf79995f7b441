/* The best iterate of a method that is not monotone, and the decision to go on. */
#ifndef CST_FRICTION_RECORD_H
#define CST_FRICTION_RECORD_H

#include "friction/growth.h"
#include "friction/method.h"

typedef struct cst_record {
    const cst_system *system;
    const cst_method_settings *settings;
    cst_growth growth;
    int growing;  /* windows of growth in a row */
    double *best; /* (n x dim) */
    double error; /* of the iterate judged last */
    cst_method_result result;
} cst_record;

/* False: out of memory. */
bool cst_record_begin(cst_record *record, const cst_system *system, const cst_method_settings *settings, cst_arena *arena);

/* Keep x if it is the best; y = A x + b. False: its impulses are beyond belief. */
bool cst_record_note(cst_record *record, const double *x, const double *y, int iterations);

/* Judge x with y = A x + b after so many iterations. False: stop (solved, told to, out of iterations, growing, not finite). */
bool cst_record_judge(cst_record *record, const double *x, const double *y, int iterations);

/* x <- the best. */
cst_method_result cst_record_end(const cst_record *record, double *x);
/* The same, and the arena is as it was at `mark`, before the record was begun. */
cst_method_result cst_record_close(const cst_record *record, double *x, cst_arena *arena, cst_arena_mark mark);

/* The first guess as it can be used: 0 where it is not finite. */
void cst_record_mend(const cst_system *system, double *x);

#endif
