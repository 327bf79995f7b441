/* Detects an infeasible friction problem: the error stays large while the impulses grow (docs/maths_solvers.md, 5.6). The test is
 * a heuristic, not a proof. For example, if the contacts of a node allow it no motion, ten times as many sweeps give ten times
 * the impulse, while the residual E stays at 2. Impulses also grow on solvable problems with a singular Delassus matrix, but
 * there the error is small. */
#ifndef CST_FRICTION_GROWTH_H
#define CST_FRICTION_GROWTH_H

#include "friction/system.h"

typedef struct cst_growth {
    int since;    /* first iteration of the window */
    double error; /* smallest error at iteration `since` */
    double size;  /* largest scaled impulse at iteration `since`: the maximum of weight_i |x_i| (dimensionless) */
    int windows;  /* number of consecutive windows in which the impulses grew */
} cst_growth;

void cst_growth_begin(cst_growth *growth);

/* Tests for growth once in each window of 100 iterations; further calls within a window return false. A window shows growth if
 * the smallest error exceeds 0.1 and fell by less than a tenth, and the largest scaled impulse grew by a fifth and exceeds 10.
 * Returns true after two consecutive windows with growth. With a large, nearly constant error and a scaled impulse above 1e10,
 * one window is enough. */
bool cst_growth_seen(cst_growth *growth, const cst_system *system, const double *x, int iterations, double best_error);

#endif
