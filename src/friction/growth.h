/* Detects an infeasible problem by a constant error and growing impulses (docs/maths_solvers.md, 5.6). The detection is a
 * heuristic, not a proof. For example, if the contacts of a node allow it no motion, ten times as many sweeps give a ten times
 * larger impulse, while the residual E stays at 2. If the matrix from impulses to velocities is singular, impulses drift on
 * solvable problems too, but then the error is small. Growing impulses count as a sign of an infeasible problem only if the error
 * is large in two consecutive windows of 100 iterations. */
#ifndef CST_FRICTION_GROWTH_H
#define CST_FRICTION_GROWTH_H

#include "friction/system.h"

typedef struct cst_growth {
    int since;    /* first iteration of the window */
    double error; /* best error at that iteration */
    double size;  /* max_i weight_i |x_i| at that iteration */
    int windows;  /* consecutive windows with growth */
} cst_growth;

void cst_growth_begin(cst_growth *growth);

/* Returns true if the problem seems infeasible: the smallest error so far is above 0.1 and fell by less than a tenth in the last
 * 100 iterations, while the impulses keep growing or are extremely large. Impulses keep growing if the largest scaled impulse
 * (dimensionless) grew by a fifth in each of the last two windows of 100 iterations and exceeds 10. Impulses are extremely large
 * if the largest scaled impulse exceeds 1e10. The function cst_growth_seen may be called at every iteration. */
bool cst_growth_seen(cst_growth *growth, const cst_system *system, const double *x, int iterations, double best_error);

#endif
