/* Follows the central path of a friction problem with a proximal term, as the inner part of interior_point.h:
 *
 *     y = A x + b + rho (x - anchor),   y~ = y + mu |y_T| e_N,   K ∋ x ⟂ y~ ∈ K*.
 *
 * In the hatted variables z = (mu x_N, x_T) and s = (y~_N, mu y_T) both cones are the self-dual K_1. The path is z o s = t e,
 * with z and s inside the cone and t falling to 0. The path is followed by Newton steps with Nesterov-Todd scaling and
 * Mehrotra's predictor and corrector (Nesterov and Todd 1997; Mehrotra 1992). The term mu |y_T| is either linearised, or held
 * at `slip`, which makes the problem convex. */
#ifndef CST_FRICTION_INTERIOR_PATH_H
#define CST_FRICTION_INTERIOR_PATH_H

#include "friction/method.h"
#include "friction/newton_system.h"

typedef struct cst_interior {
    cst_newton newton;
    cst_system *system;
    const cst_method_settings *settings;
    double *x, *y;             /* (n x dim) the last iterate, and its velocity including the proximal term */
    double *z, *s;             /* (n x dim) in K_1 */
    double *z_again, *s_again; /* early point of the first path, where later paths start */
    double *dz, *ds;
    double *gap;     /* (n x dim) (y~_N, mu y_T) - s */
    double *lambda;  /* (n x dim) W z = W^-1 s, where W is the Nesterov-Todd scaling */
    double *second;  /* (n x dim) second-order term of the predictor */
    double *scaling; /* (n x dim x dim) W */
    double *inverse; /* (n x dim x dim) W^-1 */
    double *share;   /* (n x dim x dim) the matrix (I + W^2)^-1 */
    double *bend;    /* (n x dim x dim) derivative of (y~_N, mu y_T) by y */
    double *slip;    /* (n) |y_T| if held */
    double *anchor;  /* (n x dim) */
    double *best;    /* (n x dim) iterate with the smallest error of the problem without proximal term */
    bool held;       /* true: |y_T| is held at `slip` */
    double proximal; /* rho */
    double centre;   /* t */
    double first_centre;
    cst_method_result result;
} cst_interior;

/* Allocates memory and sets anchor = x = best = x0 and proximal = 0. Returns false if memory ran out. */
bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena);

/* Computes y from it->x. Returns the error of the problem without the proximal term, and keeps the best iterate. */
double cst_interior_look(cst_interior *it);

/* Returns true if iterations are left and the callback does not stop the solver. */
bool cst_interior_may_go_on(cst_interior *it);

/* Follows the path until t is negligible, the steps are too short, or x solves the problem (result.converged). `again`: true to
 * start from an early point of the first path instead of its beginning. */
void cst_interior_follow(cst_interior *it, bool again);

/* Sets slip to the present |y_T|. */
void cst_interior_hold_slip(cst_interior *it);

#endif
