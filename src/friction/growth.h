/* Detects an infeasible friction problem: the error stays large while the impulses grow (docs/maths_solvers.md, 5.6). The test
 * is a heuristic. For example, if the contacts of a node allow it no motion, ten times as many sweeps give ten times the
 * impulse, while the residual E stays at 2. With a singular Delassus matrix, the impulses may also grow if the problem has a
 * solution, but then the error is small. */
#ifndef CST_FRICTION_GROWTH_H
#define CST_FRICTION_GROWTH_H

#include "friction/system.h"

typedef struct cst_growth {
    int since;    /* first iteration of the window */
    double error; /* smallest error so far, at iteration `since` */
    double size;  /* largest component of a scaled impulse (weight times impulse) at iteration `since` */
    int windows;  /* consecutive windows with growth */
} cst_growth;

void cst_growth_begin(cst_growth *growth);

/* At the end of each window of at least 100 iterations, compares the impulses and the error with their values at the start of the
 * window. Returns false before the end of a window. The impulses count as growing in a window if two conditions hold. First, the
 * largest component of a scaled impulse grew by more than a fifth and exceeds 10. Second, the smallest error so far fell by less
 * than a tenth and exceeds 0.1. Returns true after at least two consecutive windows with growing impulses. Returns true after one
 * window if a component of a scaled impulse exceeds 1e10, while the smallest error so far fell by less than a tenth and exceeds
 * 0.1. */
bool cst_growth_seen(cst_growth *growth, const cst_system *system, const double *x, int iterations, double best_error);

#endif
