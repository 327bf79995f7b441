/* Stores the iterate with the smallest error, for methods whose error may rise, and decides whether a method continues. */
#ifndef CST_FRICTION_RECORD_H
#define CST_FRICTION_RECORD_H

#include "friction/growth.h"
#include "friction/method.h"

typedef struct cst_record {
    const cst_system *system;
    const cst_method_settings *settings;
    cst_growth growth;
    int growing;  /* successive windows at whose ends cst_growth_seen returned true */
    double *best; /* array (n x dim): best iterate */
    double error; /* error of the last iterate */
    cst_method_result result;
} cst_record;

/* Returns false if memory ran out. */
bool cst_record_begin(cst_record *record, const cst_system *system, const cst_method_settings *settings, cst_arena *arena);

/* Stores the impulses x if their error is the smallest so far. `y`: contact velocities. If a component of a scaled impulse
 * (weight times impulse, system.h) exceeds 1e10, does not store x and returns false. */
bool cst_record_note(cst_record *record, const double *x, const double *y, int iterations);

/* Computes the error of the impulses x and the contact velocities y. Returns false if the method must stop: the problem is
 * solved, the caller interrupts, or the iterations are used up. The method must also stop if the impulses grow without bound or
 * are too large (cst_record_note), or if the error is infinite. */
bool cst_record_judge(cst_record *record, const double *x, const double *y, int iterations);

/* Sets x to the best iterate. */
cst_method_result cst_record_end(const cst_record *record, double *x);
/* Sets x to the best iterate, and frees the memory taken from the arena since `mark`. Returns the result of the method. */
cst_method_result cst_record_close(const cst_record *record, double *x, cst_arena *arena, cst_arena_mark mark);

/* Replaces non-finite values of the initial guess x by 0. */
void cst_record_mend(const cst_system *system, double *x);

#endif
