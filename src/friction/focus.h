/* Newton's method on the contacts with the largest errors.
 *
 * After some sweeps most contacts of a large assembly are nearly exact, and the error is concentrated in a few places: a fiber
 * held between two others close to their roots, or between a fiber and an obstacle. Two contacts i and j on such a fiber depend
 * on the same motion of the fiber, so |A_ij| is close to 1, and a sweep reduces the error of their impulses only by the share 1
 * - A_ij^2 (0.0025 to 0.00001 in mats of three and four layers). A place with a large error has two to about twenty contacts,
 * and the number of such places grows with the assembly, while Anderson acceleration removes only as many slow modes as its
 * memory is long. Sweeps alone therefore need more iterations for larger mats of the same density.
 *
 * Let F be the contacts with more than a given share of the largest error, and all contacts coupled with them. Proximal Newton
 * steps (proximal_newton.h) solve the problem of F alone:
 *
 *     y_F = A_FF x_F + beta_F,   (x_i, y_i) in the law,        beta_F = b_F + sum_{j not in F} A_Fj x_j   (held).
 *
 * A_FF consists of many small parts, so its factor has little fill: 1e5 to 1e7 flops, compared with about 1e10 for A (four
 * layers of 999 fibers). After the Newton steps on F, sweeps correct the contacts around F. Newton on the set F is nonlinear
 * elimination (Lanzkron, Rose and Wilkes 1996; Cai and Keyes 2002, Nonlinearly preconditioned inexact Newton algorithms), with
 * a set chosen by the residual. The elimination does not change the solution: at a solution F is empty. */
#ifndef CST_FRICTION_FOCUS_H
#define CST_FRICTION_FOCUS_H

#include "friction/method.h"

typedef struct cst_focus_result {
    int contacts;     /* number of contacts in F; 0: no F was small enough */
    int iterations;   /* Newton steps */
    bool improved;    /* true: the error of F was more than halved, and x has been updated */
    bool interrupted; /* keep_going returned false */
} cst_focus_result;

/* `x` (contacts x dim): iterate in; the impulses of the contacts in F are updated. The callback keep_going gets the Newton
 * steps of this call and the error of F. `flops_max`: for one factorisation. The function releases its arena memory;
 * arena->failed is set if memory ran out. */
cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                           double *x);

#endif
