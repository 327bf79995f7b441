/* Following the central path of a friction problem with a proximal term: the inner part of interior_point.h.
 *
 *     y = A x + b + rho (x - anchor),   y~ = y + mu |y_T| e_N,   K ∋ x ⟂ y~ ∈ K*
 *
 * In the hatted variables z = (mu x_N, x_T), s = (y~_N, mu y_T) both cones are the self-dual K_1, and the path is z o s = t e, t falling
 * to 0, z and s inside the cone. Newton's steps in Nesterov and Todd's scaling, Mehrotra's predictor and corrector (Nesterov and Todd
 * 1997; Mehrotra 1992). mu |y_T| is linearised as it stands, or held at `slip`, which makes the problem convex. */
#ifndef CST_FRICTION_INTERIOR_PATH_H
#define CST_FRICTION_INTERIOR_PATH_H

#include "friction/method.h"
#include "friction/newton_system.h"

typedef struct cst_interior {
    cst_newton newton;
    cst_system *system;
    const cst_method_settings *settings;
    double *x, *y;             /* (n x dim) the last iterate, and its velocity, proximal term included */
    double *z, *s;             /* (n x dim) in K_1 */
    double *z_again, *s_again; /* early on the first path: where later paths begin */
    double *dz, *ds;
    double *gap;     /* (n x dim) hat of y~, less s */
    double *lambda;  /* (n x dim) W z = W^-1 s, W Nesterov and Todd's scaling */
    double *second;  /* (n x dim) product of the predictor's parts */
    double *scaling; /* (n x dim x dim) W */
    double *inverse; /* (n x dim x dim) W^-1 */
    double *share;   /* (n x dim x dim) (I + W^2)^-1 */
    double *bend;    /* (n x dim x dim) derivative of hat y~ with respect to y */
    double *slip;    /* (n) |y_T|, held */
    double *anchor;  /* (n x dim) */
    double *best;    /* (n x dim) the least error of the problem without proximal term */
    bool held;       /* |y_T| is held at slip */
    double proximal; /* rho */
    double centre;   /* t */
    double first_centre;
    cst_method_result result;
} cst_interior;

/* Memory, and anchor = x = best = x0; proximal is 0. False: out of memory. */
bool cst_interior_begin(cst_interior *it, cst_system *system, const cst_method_settings *settings, const double *x0,
                        cst_arena *arena);

/* y of it->x. Returns the error of the problem without the proximal term, and keeps the best. */
double cst_interior_look(cst_interior *it);

/* Iterations are left, and nobody says stop. */
bool cst_interior_may_go_on(cst_interior *it);

/* Down the path until t is nothing, or steps are, or x solves the problem (result.converged). `again`: not from the beginning. */
void cst_interior_follow(cst_interior *it, bool again);

/* slip = |y_T| as it is. */
void cst_interior_hold_slip(cst_interior *it);

#endif
