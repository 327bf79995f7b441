/* Newton's method on the contacts with the largest errors.
 *
 * After some sweeps over many fibers, large errors remain only in small groups of contacts, for example where a fiber is clamped
 * between two fibers. If two contacts have the scaled coupling c, a sweep multiplies the error of their impulses by c^2. Two
 * contacts on a clamped fiber move with the same fiber, so their coupling c is close to 1: c^2 is 0.9975 to 0.99999 in mats of
 * three and four layers. Anderson acceleration removes only one slow mode per stored iterate, but the number of slow groups grows
 * with the number of fibers.
 *
 * The chosen contacts are those whose error exceeds a share of the largest error, and all contacts coupled with them. Proximal
 * Newton steps (proximal_newton.h) solve the Coulomb problem of the chosen contacts, while all other impulses are fixed. Symbols:
 *     `F`: set of the chosen contacts.
 *     `j`: a contact that is not chosen.
 *     `x`, `y`: scaled impulses and velocities.
 *     `A`: scaled Delassus matrix.
 *     `b`: scaled velocities without impulses.
 *
 * The problem of the chosen contacts is:
 *
 *     `y_F = A_FF*x_F+beta_F`.
 *     `beta_F = b_F+sum_j(A_Fj*x_j)`.
 *
 * The matrix of the chosen contacts splits into many small uncoupled parts, so its factor has little fill. For four layers of 999
 * fibers, its factorisation takes 1e5 to 1e7 flops; the matrix of all contacts would take about 1e10 flops. Gauss-Seidel sweeps
 * then correct the contacts around the chosen contacts. Newton's method on unknowns chosen by their residual is a nonlinear
 * elimination (Lanzkron, Rose and Wilkes 1996; Cai and Keyes 2002, Nonlinearly preconditioned inexact Newton algorithms). */
#ifndef CST_FRICTION_FOCUS_H
#define CST_FRICTION_FOCUS_H

#include "friction/method.h"

typedef struct cst_focus_result {
    int contacts;     /* number of chosen contacts; 0 if every share of the largest error chose too many contacts */
    int iterations;   /* largest number of Newton steps on an uncoupled part of the chosen contacts */
    bool improved;    /* true: the Newton steps more than halved the error of the chosen contacts */
    bool interrupted; /* the callback settings->keep_going returned false */
} cst_focus_result;

/* `x` (contacts x dim): impulses; only the impulses of the chosen contacts change. The callback settings->keep_going gets the
 * number of Newton steps and the error of the chosen contacts. `flops_max`: largest number of floating-point operations of one
 * factorisation. arena->failed is set if memory ran out. */
cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                           double *x);

#endif
