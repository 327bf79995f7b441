/* Follows the central path of a friction problem with a proximal term, which is a sub-problem of interior_point.h:
 *
 *     The velocities are y = A x + b + rho (x - anchor), with the proximal weight rho.
 *     With De Saxce's correction y~ = y + mu |y_T| e_N, the Coulomb law is K ∋ x ⟂ y~ ∈ K*, where K is the friction cone.
 *
 * In the scaled variables z = (mu x_N, x_T) and s = (y~_N, mu y_T), the friction cone and its dual cone are both the self-dual
 * cone K_1 = {|x_T| <= x_N}. The central path is z o s = t e, where o is the Jordan product, e is its unit element, z and s are
 * inside the cone, and the parameter t falls to 0. Newton steps with Nesterov-Todd scaling and Mehrotra's predictor and
 * corrector follow the central path (Nesterov and Todd 1997; Mehrotra 1992). De Saxce's term mu |y_T| is either linearised or
 * held constant; holding it makes the problem convex. */
#ifndef CST_FRICTION_INTERIOR_PATH_H
#define CST_FRICTION_INTERIOR_PATH_H

#include "friction/method.h"
#include "friction/newton_system.h"

typedef struct cst_interior {
    cst_newton newton;
    cst_system *system;
    const cst_method_settings *settings;
    /* (n x dim) impulses of the last iterate, and the contact velocities including the proximal term */
    double *x, *y;
    double *z, *s;             /* (n x dim) in K_1 */
    double *z_again, *s_again; /* values of the iterates z and s early on the first central path, from which later paths start */
    double *dz, *ds;
    double *gap;     /* (n x dim) defect of s */
    double *lambda;  /* (n x dim) the scaled iterate lambda = W z = W^-1 s, where W is the Nesterov-Todd scaling */
    double *second;  /* (n x dim) second-order term of the predictor */
    double *scaling; /* (n x dim x dim) W */
    double *inverse; /* (n x dim x dim) W^-1 */
    double *share;   /* matrices (I + W^2)^-1 */
    double *bend;    /* derivatives of (y~_N, mu y_T) */
    double *slip;    /* (n) |y_T| if held */
    double *anchor;  /* (n x dim) */
    double *best;    /* (n x dim) iterate with the smallest error of the problem without proximal term */
    bool held;       /* true: |y_T| is held at `slip` */
    double proximal; /* rho */
    double centre;   /* t */
    double first_centre;
    cst_method_result result;
} cst_interior;

/* Allocates memory, sets `x`, `best` and `anchor` to x0, and sets the proximal weight to 0. Returns false if memory ran out. */
bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena);

/* Computes y from it->x. Returns the error of the problem without the proximal term, and keeps the best iterate. */
double cst_interior_look(cst_interior *it);

/* Returns true if iterations are left and the callback does not stop the solver. */
bool cst_interior_may_go_on(cst_interior *it);

/* Follows the central path until its parameter t is negligible, the steps are too short, or x solves the problem
 * (result.converged). If `again` is true, the path starts from an early point of the first path instead of its beginning. */
void cst_interior_follow(cst_interior *it, bool again);

/* Sets slip to the present |y_T|. */
void cst_interior_hold_slip(cst_interior *it);

#endif
