/* Anderson acceleration of a fixed-point map x -> g(x), where x are the scaled impulses of a system:
 *
 *     One application of the map changes x by f = g(x) - x.
 *     The weights are gamma = argmin |f - dF gamma|^2 + lambda trace(dF^T dF) |gamma|^2, with a small constant lambda > 0.
 *     The next iterate is x_next = g(x) - dG gamma, with the weights gamma and the last differences dG of g.
 *
 *
 * The columns of the matrices dF and dG are the differences of f and of g between consecutive iterations, for the last m
 * iterations (docs/maths_solvers.md, 5.5). If the sets of sticking and sliding contacts no longer change, the map is smooth and
 * Anderson acceleration is GMRES on its linearisation. If the sets of sticking and sliding contacts still change, the caller
 * drops the stored differences of earlier iterations. */
#ifndef CST_FRICTION_ANDERSON_H
#define CST_FRICTION_ANDERSON_H

#include "friction/system.h"

enum { CST_ANDERSON_MAX = 16 };

typedef struct cst_anderson {
    const cst_system *system;
    int memory; /* m <= CST_ANDERSON_MAX */
    int count;  /* differences held */
    int newest; /* slot that is written next */
    bool has_previous;
    double *f, *f_previous, *g_previous; /* (n x dim) each */
    double *df[CST_ANDERSON_MAX], *dg[CST_ANDERSON_MAX];
    double gram[CST_ANDERSON_MAX][CST_ANDERSON_MAX]; /* dF^T dF */
} cst_anderson;

bool cst_anderson_begin(cst_anderson *anderson, const cst_system *system, int memory, cst_arena *arena);
void cst_anderson_forget(cst_anderson *anderson);

/* Stores the step g - x of the fixed-point map for cst_anderson_advance, and returns |g - x|. */
double cst_anderson_measure(cst_anderson *anderson, const double *x, const double *g);

/* Computes the next iterate x_next after cst_anderson_measure(x, g); the caller projects x_next on the cones. x_next may be x. */
void cst_anderson_advance(cst_anderson *anderson, const double *g, double *x_next);

#endif
