/* Anderson acceleration of a fixed-point map x -> g(x), where x are the scaled impulses of a system.
 *
 * Let f = g(x) - x be the change of the impulses x by the map g, and lambda a small positive constant. The columns of the
 * matrices dF and dG are the differences of f = g(x) - x and of g(x) between consecutive iterations, for the last m iterations
 * (docs/maths_solvers.md, 5.5). Equations of the next iterate:
 *
 *     `gamma = argmin |f-dF*gamma|^2+lambda*trace(dF^T*dF)*|gamma|^2`.
 *     `x_next = g(x) - dG*gamma`.
 *
 * If the sets of sticking and sliding contacts do not change, the fixed-point map is smooth, and Anderson acceleration is
 * equivalent to GMRES on its linearisation. If the sets of sticking and sliding contacts change, the caller drops the stored
 * differences of earlier iterations. */
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
    double *f, *f_previous, *g_previous; /* array (n x dim): each */
    double *df[CST_ANDERSON_MAX], *dg[CST_ANDERSON_MAX];
    double gram[CST_ANDERSON_MAX][CST_ANDERSON_MAX]; /* dF^T dF */
} cst_anderson;

bool cst_anderson_begin(cst_anderson *anderson, const cst_system *system, int memory, cst_arena *arena);
void cst_anderson_forget(cst_anderson *anderson);

/* Stores the change g - x of the impulses x by the fixed-point map, for cst_anderson_advance, and returns the norm of this
 * change. */
double cst_anderson_measure(cst_anderson *anderson, const double *x, const double *g);

/* Call after cst_anderson_measure. Computes the next iterate x_next; the caller projects it on the friction cones. `x_next` may
 * be `x`. */
void cst_anderson_advance(cst_anderson *anderson, const double *g, double *x_next);

#endif
