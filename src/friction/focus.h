/* Newton's method on the contacts with the largest errors.
 *
 * After some sweeps over many fibers, large errors remain only in small groups of contacts, for example where a fiber is clamped
 * between two fibers. If the scaled Delassus matrix of two contacts with one unknown each has diagonal entries 1 and off-diagonal
 * entries c, a sweep multiplies the error of their impulses by c^2. For two contacts that clamp a fiber in mats of three and four
 * layers, the factor c^2 by which a sweep multiplies their error is 0.9975 to 0.99999. Anderson acceleration removes one slow
 * mode per stored iterate, but the number of slow modes grows with the number of fibers.
 *
 * The set F of chosen contacts contains the contacts whose error exceeds a given fraction of the largest error of all contacts,
 * and all contacts coupled with them. Proximal Newton steps (proximal_newton.h) solve the Coulomb problem of the chosen contacts,
 * while the impulses of all other contacts j are fixed. Symbols:
 *     `x`, `y`: scaled impulses, scaled velocities.
 *     `A`: scaled Delassus matrix.
 *     `b`: scaled velocities without impulses.
 *
 * The problem of the chosen contacts F is:
 *
 *     `y_F = A_FF*x_F+beta_F`.
 *     `beta_F = b_F+sum_j(A_Fj*x_j)`.
 *
 * The matrix A_FF of the chosen contacts splits into many small uncoupled parts, so its factor has little fill. For four layers
 * of 999 fibers, a factorisation of the matrix of the chosen contacts takes 1e5 to 1e7 flops; the matrix of all contacts would
 * take about 1e10 flops. Newton's method on unknowns chosen by their residual is a nonlinear elimination (Lanzkron, Rose and
 * Wilkes 1996; Cai and Keyes 2002, Nonlinearly preconditioned inexact Newton algorithms). */
#ifndef CST_FRICTION_FOCUS_H
#define CST_FRICTION_FOCUS_H

#include "friction/method.h"

typedef struct cst_focus_result {
    /* number of contacts chosen for Newton's method; 0: every set of contacts that was tried was too large, the error was not
     * finite, or memory ran out */
    int contacts;
    int iterations;   /* Newton steps, largest over the parts */
    bool improved;    /* the error was more than halved */
    bool interrupted; /* keep_going returned false */
} cst_focus_result;

/* `x` (contacts x dim): impulses; only those of the chosen contacts change. `flops_max`: floating-point operations allowed for
 * one factorisation. The callback settings->keep_going gets the number of Newton steps and the error of the chosen contacts.
 * arena->failed is set if memory ran out. */
cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                           double *x);

#endif
