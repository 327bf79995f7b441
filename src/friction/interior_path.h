/* Interior point method for one friction problem with a proximal term; interior_point.h solves a sequence of these problems.
 * Symbols (N: normal, T: tangential):
 *     `A`: scaled Delassus matrix.
 *     `b`: free velocities.
 *     `x`: impulses.
 *     `y`: contact velocities.
 *     `rho`: proximal weight.
 *     `anchor`: centre of the proximal term.
 *     `K`, `K*`: friction cone, dual cone.
 *     `z`, `s`: scaled impulse, scaled velocity.
 *     `t`: path parameter.
 *     `o`: Jordan product.
 *     `e = (1,0,0)`: unit element.
 *
 * The Coulomb law, with the proximal term and De Saxce's correction mu |y_T|, has these equations:
 *
 *     `y = A*x+b+rho*(x-anchor)`.
 *     `y~ = y+mu*|y_T|*e_N`.
 *     `x in K`. `y~ in K*`. `x.y~ = 0`.
 *
 * The scaled impulse z and the scaled velocity s are in a self-dual cone: the length of their tangential part is at most their
 * normal part.
 *
 *     `z = (mu*x_N,x_T)`.
 *     `s = (y~_N,mu*y_T)`.
 *
 * On the central path, the Jordan product of the scaled impulse z and the scaled velocity s is the path parameter t times the
 * unit element e:
 *
 *     `z o s = t*e`.
 *
 * The method follows the central path, on which the path parameter t falls to 0, with Newton steps, Nesterov-Todd scaling, and
 * Mehrotra's predictor and corrector (Nesterov and Todd 1997; Mehrotra 1992). De Saxce's correction is either linearised or held
 * constant; with a constant correction, the problem is convex. */
#ifndef CST_FRICTION_INTERIOR_PATH_H
#define CST_FRICTION_INTERIOR_PATH_H

#include "friction/method.h"
#include "friction/newton_system.h"

typedef struct cst_interior {
    cst_newton newton;
    cst_system *system;
    const cst_method_settings *settings;
    /* arrays (n x dim): x, y */
    double *x, *y;
    double *z, *s; /* arrays (n x dim): z, s */
    /* arrays (n x dim): scaled impulses and scaled velocities at an early point of the first path; later paths start from them */
    double *z_again, *s_again;
    double *dz, *ds;
    /* array (n x dim): vectors (y_N + mu |y_T|, mu y_T) computed from the contact velocities y, minus the scaled velocities s */
    double *gap;
    double *lambda;  /* array (n x dim): scaled point of each contact, `lambda = W z = W^-1 s` (W: Nesterov-Todd scaling) */
    double *second;  /* array (n x dim): second-order term of Mehrotra's predictor step, for each contact */
    double *scaling; /* array (n x dim x dim): Nesterov-Todd scaling W of each contact */
    double *inverse; /* array (n x dim x dim): inverse of the Nesterov-Todd scaling W of each contact */
    double *share;   /* array (n x dim x dim): (I + W^2)^-1, with the Nesterov-Todd scaling W of each contact */
    double *bend;    /* array (n x dim x dim): derivative of (y_N + mu |y_T|, mu y_T) by the velocity y of the contact */
    double *slip;    /* array (n): |y_T|, if held */
    double *anchor;  /* array (n x dim) */
    double *best;    /* array (n x dim): impulses with the smallest error so far (error without the proximal term) */
    bool held;       /* true: the sliding speed |y_T| in De Saxce's correction is held at the values in `slip` */
    double proximal; /* proximal weight rho */
    double centre;   /* path parameter t */
    double first_centre;
    cst_method_result result;
} cst_interior;

/* Prepares the interior point method: allocates memory, copies the initial guess x0 to `x`, `best` and `anchor`, and sets the
 * proximal weight to 0. Returns false if memory ran out. */
bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena);

/* Computes the contact velocities it->y from the impulses it->x, with the proximal term. Returns the error of the impulses it->x
 * in the problem without the proximal term, and copies it->x to it->best if this error is the smallest so far. */
double cst_interior_look(cst_interior *it);

/* Returns false if the largest number of iterations is reached, or if the callback settings->keep_going stops the solver. */
bool cst_interior_may_go_on(cst_interior *it);

/* Follows the central path. Stops when the impulses it->x solve the problem (result.converged), when the path parameter t is
 * negligible or no longer falls, or when the steps are too short or too many. Also stops when cst_interior_may_go_on returns
 * false. If `again` is true, the path starts from an early point of the first path. */
void cst_interior_follow(cst_interior *it, bool again);

/* Sets it->slip to the sliding speeds |y_T| of the contact velocities it->y. */
void cst_interior_hold_slip(cst_interior *it);

#endif
