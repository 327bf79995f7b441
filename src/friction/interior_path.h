/* Follows the central path of a friction problem with a proximal term; interior_point.h solves a sequence of such problems.
 * Symbols (N: normal, T: tangential):
 *     `A`: scaled Delassus matrix.
 *     `b`: free velocities.
 *     `x`: impulses.
 *     `rho`: proximal weight.
 *     `anchor`: centre of the proximal term.
 *     `K`, `K*`: friction cone, dual cone.
 *
 * The contact velocity y contains the proximal term, and the velocity y~ also contains De Saxce's correction:
 *
 *     `y = A*x+b+rho*(x-anchor)`.
 *     `y~ = y+mu*|y_T|*e_N`.
 *     Coulomb law: `x in K`. `y~ in K*`. `x.y~ = 0`.
 *
 * The scaled impulse z and the scaled velocity s are in the self-dual cone of the vectors whose tangential part is at most as
 * long as their normal part:
 *
 *     `z = (mu*x_N,x_T)`.
 *     `s = (y~_N,mu*y_T)`.
 *     Central path: `z o s = t*e`.
 *
 * On the central path, the Jordan product of the scaled impulse z and the scaled velocity s is the unit element e times a
 * parameter t, which falls to 0. Newton steps with Nesterov-Todd scaling and Mehrotra's predictor and corrector follow the
 * central path (Nesterov and Todd 1997; Mehrotra 1992). De Saxce's term mu |y_T| (friction coefficient times sliding speed) is
 * either linearised or treated as a constant; as a constant, it makes the problem convex. */
#ifndef CST_FRICTION_INTERIOR_PATH_H
#define CST_FRICTION_INTERIOR_PATH_H

#include "friction/method.h"
#include "friction/newton_system.h"

typedef struct cst_interior {
    cst_newton newton;
    cst_system *system;
    const cst_method_settings *settings;
    /* arrays (n x dim): impulses x of the last iterate, and contact velocities y, which include the proximal term */
    double *x, *y;
    double *z, *s;             /* array (n x dim): in K_1 */
    double *z_again, *s_again; /* scaled impulses z and scaled velocities s, stored early on the first central path; later
                                * central paths start from them */
    double *dz, *ds;
    /* array (n x dim): scaled velocities computed from the contact velocities y, minus the iterate s of the scaled velocities */
    double *gap;
    double *lambda;  /* `W z = W^-1 s` */
    double *second;  /* array (n x dim): second-order term of Mehrotra's predictor step */
    double *scaling; /* array (n x dim x dim): W */
    double *inverse; /* array (n x dim x dim): W^-1 */
    double *share;   /* matrices (I + W^2)^-1 */
    double *bend;    /* derivatives of (y~_N, mu y_T) */
    double *slip;    /* (n) |y_T| if held */
    double *anchor;  /* (n x dim) */
    double *best; /* array (n x dim): the iterate whose error in the problem without the proximal term is the smallest so far */
    bool held;    /* true: |y_T| is held at `slip` */
    double proximal; /* rho */
    double centre;   /* t */
    double first_centre;
    cst_method_result result;
} cst_interior;

/* Allocates memory, sets the impulses `x`, the best impulses `best` and the proximal centre `anchor` to the initial guess x0, and
 * sets the proximal weight to 0. Returns false if memory ran out. */
bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena);

/* Computes it->y from it->x. Returns the error of the iterate it->x in the problem without the proximal term, and copies it->x to
 * it->best if this error is the smallest so far. */
double cst_interior_look(cst_interior *it);

/* Returns true if iterations are left and the callback does not stop the solver. */
bool cst_interior_may_go_on(cst_interior *it);

/* Follows the central path until its parameter t is negligible or stops falling, the steps are too short, or the iterate it->x
 * solves the problem (result.converged). If `again` is true, the iteration starts at an early point of the first central path,
 * not at its beginning. */
void cst_interior_follow(cst_interior *it, bool again);

/* Sets slip to the present |y_T|. */
void cst_interior_hold_slip(cst_interior *it);

#endif
