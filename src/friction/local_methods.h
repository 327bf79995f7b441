/* Declarations shared by the local solvers: the scaled problem, the residual, and one entry point per method.
 *
 * W is scaled so that the contact's weight w = trace(W)/dim is of order one, and b is scaled so that |b| is of order one. The
 * residual is measured with the scaled impulse r' = w r / |b| and the scaled velocity u' = u / |b|. The function cst_local_solve
 * does the scaling and the trivial cases, so the methods only get problems with b_N < 0 and mu > 0. */
#ifndef CST_FRICTION_LOCAL_METHODS_H
#define CST_FRICTION_LOCAL_METHODS_H

#include "capstan/friction.h"

typedef struct cst_local_problem {
    int dim;
    double mu;
    double tolerance;
    double W[9]; /* dim x dim */
    double b[3];
    double weight; /* weight of the contact, trace(W) / dim; exactly 1 for the iterative methods */
    double speed;  /* speed of the contact, |b|; exactly 1 for the iterative methods */
} cst_local_problem;

/* A contact is ill-posed if its scaled impulse |r'| = w |r| / |b| exceeds this limit, which happens only if W is singular to
 * rounding. */
#define CST_IMPULSE_LIMIT 1e10

/* u = W r + b. */
void cst_local_velocity(const cst_local_problem *problem, const double *r, double *u);

/* Returns the smallest residual of an impulse r that double arithmetic can reach: 8 eps (1 + |r'|) (1 + mu), with the scaled
 * impulse r' and the machine precision eps. */
double cst_local_rounding_floor(const cst_local_problem *problem, const double *r);

/* Returns |f_AC|, in units of |b|. */
double cst_local_error(const cst_local_problem *problem, const double *r);

/* |r'| = w |r| / |b|. */
double cst_local_magnitude(const cst_local_problem *problem, const double *r);

/* Returns true if the error of r is at most the larger of `tolerance` and the rounding floor, and the scaled impulse |r'| is at
 * most CST_IMPULSE_LIMIT. */
bool cst_local_meets(const cst_local_problem *problem, const double *r, double tolerance);

/* Exact methods. `r`: warm start in, answer out. The exact methods fill in all fields of the result except its error. The status
 * is FAILED if W is indefinite beyond rounding, or so close to singular that rounding spoils the answer. */
void cst_local_direct_2d(const cst_local_problem *problem, double *r, cst_local_result *result);
void cst_local_direct_3d(const cst_local_problem *problem, double *r, cst_local_result *result);

/* Computes the start of a cold iteration: the sticking impulse -W^-1 b projected on the cone, or the frictionless impulse if the
 * projection is zero. If Newton starts from r = 0 instead of this projected impulse, it fails twenty times as often. */
void cst_local_cold_start(const cst_local_problem *problem, double *r);

/* Iterative or inexact methods. `r` (normalised): warm start in (zero: none), best iterate out. Returns the number of
 * iterations. */
typedef int (*cst_local_method)(const cst_local_problem *problem, double *r);
int cst_local_fischer_burmeister(const cst_local_problem *problem, double *r);
int cst_local_quartic(const cst_local_problem *problem, double *r);
int cst_local_alart_curnier(const cst_local_problem *problem, double *r);
int cst_local_alart_curnier_damped(const cst_local_problem *problem, double *r);
int cst_local_duriez06(const cst_local_problem *problem, double *r);
int cst_local_duriez08(const cst_local_problem *problem, double *r);
int cst_local_pyramid(const cst_local_problem *problem, double *r);

#endif
