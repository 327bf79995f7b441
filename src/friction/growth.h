/* The sign of an infeasible problem: a flat error and growing impulses (docs/maths_solvers.md, 5.6). A heuristic, not a proof:
 * on a trapped node |r'| grows tenfold with tenfold sweeps while E stays at 2. A singular W lets impulses drift on solvable
 * problems too, with a small error: hence the floor on it, and two windows in a row. */
#ifndef CST_FRICTION_GROWTH_H
#define CST_FRICTION_GROWTH_H

#include "friction/system.h"

typedef struct cst_growth {
    int since;    /* iteration at which the window began */
    double error; /* best error then */
    double size;  /* max_i weight_i |x_i| then */
    int windows;  /* in a row that showed growth */
} cst_growth;

void cst_growth_begin(cst_growth *growth);

/* True if over each of the last two windows of 100 iterations the best error, above 0.1, fell by less than a tenth while impulses
 * grew by a fifth, beyond ten times the scale of the problem; or if they are beyond 1e10 times that scale. Call as often as you like. */
bool cst_growth_seen(cst_growth *growth, const cst_system *system, const double *x, int iterations, double best_error);

#endif
