/* Anderson acceleration of a fixed-point map g for the scaled impulses x of a system. Symbols:
 *     `f = g(x)-x`: change of x.
 *     `dF`: stored differences of f; `dG`: stored differences of g(x).
 *     `gamma`: coefficients of the differences.
 *     `lambda`: small positive constant.
 *
 * Each column of the matrices dF and dG is a difference between two consecutive iterations. The next iterate x_next of Anderson
 * acceleration is (docs/maths_solvers.md, 5.5):
 *
 *     `gamma = argmin |f-dF*gamma|^2+lambda*trace(dF^T*dF)*|gamma|^2`.
 *     `x_next = g(x) - dG*gamma`.
 *
 * While no contact changes between sticking and sliding, the map g is smooth, and Anderson acceleration is equivalent to GMRES
 * on its linearisation. The caller drops the stored differences when the norm of the change f grows.
 *
 * A caller can carry along a vector s that depends linearly on the impulses, for example the states of the bodies in product.c.
 * The coefficients of g(x) and of the earlier iterates in x_next add up to 1, so the vector s of x_next is the same combination of
 * the vectors s of these iterates. To combine the states of all bodies costs less than to sum them again over all contacts: in
 * the hair scene free_a, a fiber has 4 contacts with an impulse, whose half solves take 3 kB, and a state of 128 bytes. */
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
    long carried;              /* number of values in the vector s; 0: none */
    double *carried_previous;  /* array (carried): the vector s of g_previous */
    double *dc[CST_ANDERSON_MAX]; /* arrays (carried): differences of the vector s */
    double gram[CST_ANDERSON_MAX][CST_ANDERSON_MAX]; /* dF^T dF */
} cst_anderson;

/* `carried`: number of values in the vector s that is carried along. Returns false if memory ran out. */
bool cst_anderson_begin(cst_anderson *anderson, const cst_system *system, int memory, long carried, cst_arena *arena);
void cst_anderson_forget(cst_anderson *anderson);

/* Stores the change f = g(x) - x of the impulses x, and returns its norm. */
double cst_anderson_measure(cst_anderson *anderson, const double *x, const double *g);

/* Computes the next iterate `x_next` after a call of cst_anderson_measure. The impulses of `x_next` may lie outside their friction
 * cones; the map g must accept such impulses. `x_next` is allowed to be `x`. `s`: the carried vector of g(x) on input, the carried
 * vector of `x_next` on output; NULL if none is carried. */
void cst_anderson_advance(cst_anderson *anderson, const double *g, double *x_next, double *s);

#endif
