/* Newton's method where the error is.
 *
 * After some sweeps most contacts of a large assembly are nearly exact, and the error is in a few places: a fiber held between two others
 * close to their roots, or between one and an obstacle. Contacts i and j on it see the one motion of the fiber, |A_ij| is close to 1, and their
 * impulses come closer by 1 - A_ij^2 a sweep (0.0025 to 0.00001, in mats of three and four layers). Such places are small, two to some
 * twenty contacts, and as frequent in a large assembly as in a small one: the larger it is the more slow modes it has, while
 * Anderson's acceleration removes as many as its memory is long. That is why sweeps over mats of one density took more iterations the more
 * fibers there were.
 *
 * Contacts with more than a share of the largest error, and all contacts that they are coupled with, make a problem of their own
 *
 *     y_F = A_FF x_F + beta_F,   (x_i, y_i) in the law,        beta_F = b_F + sum_{j not in F} A_Fj x_j   (held),
 *
 * that proximal Newton steps (proximal_newton.h) solve. A_FF falls into many small parts, so its factor has little fill: 1e5 to 1e7 flops where that of
 * A would take some 1e10 (four layers of 999 fibers). Sweeps then settle what is around F. It is nonlinear elimination (Lanzkron, Rose and Wilkes 1996; Cai and Keyes 2002, Nonlinearly
 * preconditioned inexact Newton algorithms) with the set chosen by the residual. The solution is not moved by it: at a solution F is
 * empty. */
#ifndef CST_FRICTION_FOCUS_H
#define CST_FRICTION_FOCUS_H

#include "friction/method.h"

typedef struct cst_focus_result {
    int contacts;     /* of F; 0: there was no F small enough */
    int iterations;   /* Newton steps */
    bool improved;    /* the error of F is less than half of what it was, and x has been updated */
    bool interrupted; /* keep_going said no */
} cst_focus_result;

/* x (contacts x dim): the iterate in, F updated. keep_going is told the steps here and the error of F. flops_max: of one factorisation. What is taken from the arena is given back;
 * arena->failed: out of memory. */
cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                           double *x);

#endif
