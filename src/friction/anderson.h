/* Anderson acceleration of a fixed-point map g for the scaled impulses x of a friction problem. Symbols:
 *     `f = g(x)-x`: change of x.
 *     `dF`, `dG`: matrices; each column is the change of f, or of g(x), from one iteration to the next.
 *     `gamma`: coefficients of the differences.
 *     `lambda`: small positive constant.
 *
 * The next iterate x_next of Anderson acceleration is (docs/maths_solvers.md, 5.5):
 *
 *     `gamma = argmin |f-dF*gamma|^2+lambda*trace(dF^T*dF)*|gamma|^2`.
 *     `x_next = g(x) - dG*gamma`.
 *
 * While no contact changes between sticking and sliding, the map g is smooth, and Anderson acceleration is equivalent to GMRES on
 * its linearisation. The caller discards the columns of dF and dG when the norm |g(x)-x| grows by more than the caller allows.
 *
 * A caller can provide a vector s that depends linearly on the impulses, for example the vectors y of product.h, which represent
 * the velocity changes of the bodies due to the impulses. Anderson acceleration extrapolates the vector s with the same
 * coefficients as the impulses, which is exact because s is linear in the impulses. Extrapolating the vector y of a body reads
 * less memory than computing y again from the impulses and the matrices L^-1 H^T (half.h) of the contacts. In the hair scene
 * free_a, the vector y of a fiber takes 128 bytes, and the matrices L^-1 H^T of its 4 contacts with an impulse take 3 kB. */
#ifndef CST_FRICTION_ANDERSON_H
#define CST_FRICTION_ANDERSON_H

#include "friction/system.h"

enum { CST_ANDERSON_MAX = 16 };

typedef struct cst_anderson {
    const cst_system *system;
    int memory; /* largest number of stored differences */
    int count;  /* number of stored differences */
    int newest; /* column that is written next */
    bool has_previous;
    double *f, *f_previous, *g_previous; /* arrays (n x dim) */
    double *df[CST_ANDERSON_MAX], *dg[CST_ANDERSON_MAX];
    long carried;                 /* length of the vector s, which is extrapolated like the impulses; 0: none */
    double *carried_previous;     /* array (carried): vector s that belongs to the impulses g_previous */
    double *dc[CST_ANDERSON_MAX]; /* arrays (carried): change of s from one iteration to the next, for each stored iteration */
    double gram[CST_ANDERSON_MAX][CST_ANDERSON_MAX]; /* dF^T dF */
} cst_anderson;

/* `carried`: length of the vector s, which is extrapolated like the impulses; 0: no vector s. Returns false if memory ran out. */
bool cst_anderson_begin(cst_anderson *anderson, const cst_system *system, int memory, long carried, cst_arena *arena);
void cst_anderson_forget(cst_anderson *anderson);

/* Stores the change f = g(x) - x of the impulses x, and returns its norm. */
double cst_anderson_measure(cst_anderson *anderson, const double *x, const double *g);

/* Computes the next iterate `x_next` after a call of cst_anderson_measure. The impulses of `x_next` may lie outside their
 * friction cones; the map g must accept such impulses. `x_next` is allowed to be `x`. `s`: vector that is linear in the impulses;
 * on input computed from g(x), on output from x_next; NULL if `carried` is 0. */
void cst_anderson_advance(cst_anderson *anderson, const double *g, double *x_next, double *s);

#endif
