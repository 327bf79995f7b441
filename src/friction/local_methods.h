/* Declarations shared by the local solvers, which solve one contact: the scaled problem, the residual, and one entry point per
 * method.
 *
 * The problem of a contact is scaled so that its compliance w and its free speed |b| are of order one. The residual of a contact
 * is measured with the scaled impulse r' and the scaled velocity u':
 *
 *     `w = trace(W)/dim`.
 *     `r' = w*r/|b|`.
 *     `u' = u/|b|`.
 *
 * The function cst_local_solve scales the contact problem and solves the trivial cases, so the local methods only get approaching
 * contacts (normal velocity b_N < 0) with friction (mu > 0). */
#ifndef CST_FRICTION_LOCAL_METHODS_H
#define CST_FRICTION_LOCAL_METHODS_H

#include "capstan/friction.h"

typedef struct cst_local_problem {
    int dim;
    double mu;
    double tolerance;
    double W[9]; /* dim x dim */
    double b[3];
    double weight; /* compliance trace(W) / dim of the contact; scaled to 1 for the iterative methods */
    double speed;  /* speed |b| of the contact without its impulse; scaled to 1 for the iterative methods */
} cst_local_problem;

/* A contact is ill-posed if its scaled impulse trace(W) |r| / (dim |b|) exceeds CST_IMPULSE_LIMIT, which happens only if its
 * matrix W is singular up to rounding. */
#define CST_IMPULSE_LIMIT 1e10

/* u = W r + b. */
void cst_local_velocity(const cst_local_problem *problem, const double *r, double *u);

/* Returns the smallest residual of an impulse that is possible in double arithmetic: 8 eps (1 + |r'|) (1 + mu), with the scaled
 * impulse r', the friction coefficient mu and the machine precision eps. */
double cst_local_rounding_floor(const cst_local_problem *problem, const double *r);

/* Returns |f_AC|, in units of |b|. */
double cst_local_error(const cst_local_problem *problem, const double *r);

/* |r'| = w |r| / |b|. */
double cst_local_magnitude(const cst_local_problem *problem, const double *r);

/* Returns true if the error of the impulse r is at most the larger of `tolerance` and cst_local_rounding_floor, and its scaled
 * length is at most CST_IMPULSE_LIMIT. */
bool cst_local_meets(const cst_local_problem *problem, const double *r, double tolerance);

/* Exact methods. `r`: warm start in, answer out. The exact local methods fill in all fields of the result except its error. The
 * status is FAILED if the contact's matrix W is indefinite beyond rounding, or so close to singular that rounding spoils the
 * answer. */
void cst_local_direct_2d(const cst_local_problem *problem, double *r, cst_local_result *result);
void cst_local_direct_3d(const cst_local_problem *problem, double *r, cst_local_result *result);

/* Computes the initial guess of an iteration without a warm start: the sticking impulse -W^-1 b projected on the friction cone,
 * or the frictionless impulse if the projection is zero. Newton's method fails twenty times as often from a zero impulse as from
 * the projected sticking impulse. */
void cst_local_cold_start(const cst_local_problem *problem, double *r);

/* Iterative or inexact methods. `r`: the scaled impulse; on input the warm start (zero if there is none), on output the best
 * iterate. Returns the number of iterations. */
typedef int (*cst_local_method)(const cst_local_problem *problem, double *r);
int cst_local_fischer_burmeister(const cst_local_problem *problem, double *r);
int cst_local_quartic(const cst_local_problem *problem, double *r);
int cst_local_alart_curnier(const cst_local_problem *problem, double *r);
int cst_local_alart_curnier_damped(const cst_local_problem *problem, double *r);
int cst_local_duriez06(const cst_local_problem *problem, double *r);
int cst_local_duriez08(const cst_local_problem *problem, double *r);
int cst_local_pyramid(const cst_local_problem *problem, double *r);

#endif
