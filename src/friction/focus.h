/* Newton's method on the contacts with the largest errors.
 *
 * After some sweeps over a large assembly of fibers, most contacts have very small errors. The largest errors are concentrated
 * in small groups of contacts, for example where a fiber is clamped between two other fibers. Two contacts on a clamped fiber
 * depend on the same motion of this fiber, so their scaled coupling, in the matrix from impulses to velocities, is close to 1.
 * If two contacts have the scaled coupling c, a sweep multiplies the error of their impulses by c^2. In mats of three and four
 * layers of fibers, c^2 is 0.9975 to 0.99999 for two contacts on a clamped fiber, so a sweep hardly reduces their errors. A
 * group of contacts with large errors has two to about twenty contacts; the number of these groups grows with the number of
 * fibers. Anderson acceleration of the sweeps removes at most one slow mode for each iterate that it stores, so without Newton
 * steps the number of iterations for a mat of fibers grows with the size of the mat.
 *
 * The chosen set F has the contacts with more than a given share of the largest error, and all contacts coupled with them.
 * Proximal Newton steps (proximal_newton.h) solve the friction problem of the chosen contacts F, with the impulses of all other
 * contacts fixed:
 *
 *     Let x be the impulses, A the matrix from impulses to velocities and b the velocities without impulses.
 *     `y_F = A_FF*x_F + beta_F`.
 *     `beta_F = b_F + sum(A_Fj*x_j)`. The sum is over other contacts.
 *     The impulses and velocities of the chosen contacts must satisfy the Coulomb law, while the impulses of all other contacts
 *     are fixed.
 *
 * The matrix A_FF of the chosen contacts consists of many small uncoupled parts, so its factor has little fill. For four layers
 * of 999 fibers, factorising the matrix of the chosen contacts takes 1e5 to 1e7 flops; factorising the matrix of all contacts
 * would take about 1e10 flops. After the Newton steps on the chosen contacts, Gauss-Seidel sweeps correct the contacts around
 * them. Newton's method on a set of contacts chosen by the residual is a nonlinear elimination (Lanzkron, Rose and Wilkes 1996;
 * Cai and Keyes 2002, Nonlinearly preconditioned inexact Newton algorithms). The Newton steps do not change a solution: at a
 * solution no contact has an error, so no contact is chosen. */
#ifndef CST_FRICTION_FOCUS_H
#define CST_FRICTION_FOCUS_H

#include "friction/method.h"

typedef struct cst_focus_result {
    int contacts;     /* number of contacts chosen for Newton's method; 0 if every tried choice had too many contacts */
    int iterations;   /* Newton steps */
    bool improved;    /* true: the Newton steps more than halved the error of the chosen contacts */
    bool interrupted; /* keep_going returned false */
} cst_focus_result;

/* `x` (contacts x dim): the impulses; the function updates only those of the contacts with the largest errors and their
 * neighbours. The callback settings->keep_going, which may stop the solver, gets the number of Newton steps and the error of the
 * chosen contacts. `flops_max`: for one factorisation. The function releases its arena memory; arena->failed is set if memory ran
 * out. */
cst_focus_result cst_focus(cst_system *system, const cst_method_settings *settings, double flops_max, cst_arena *arena,
                           double *x);

#endif
