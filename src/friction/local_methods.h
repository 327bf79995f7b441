/* Declarations shared by the local solvers of one contact. The error of an impulse r is computed from the scaled impulse r' and
 * the scaled velocity u', with the compliance w and the free velocity b of the contact:
 *
 *     `w = trace(W)/dim`.
 *     `r' = w*r/|b|`.
 *     `u' = u/|b|`.
 *
 * The local methods only get approaching contacts (b_N < 0) with friction (mu > 0), because cst_local_solve solves the trivial
 * cases. */
#ifndef CST_FRICTION_LOCAL_METHODS_H
#define CST_FRICTION_LOCAL_METHODS_H

#include "capstan/friction.h"

typedef struct cst_local_problem {
    int dim;
    double mu;
    double tolerance;
    double W[9]; /* dim x dim */
    double b[3];
    double weight; /* compliance w of the contact; the iterative methods get a problem scaled to w = 1 */
    double speed;  /* free speed |b| of the contact; the iterative methods get a problem scaled to |b| = 1 */
} cst_local_problem;

/* CST_IMPULSE_LIMIT: largest accepted length |r'| of the scaled impulse of a contact. */
#define CST_IMPULSE_LIMIT 1e10

/* u = W r + b. */
void cst_local_velocity(const cst_local_problem *problem, const double *r, double *u);

/* Returns the residual that rounding alone can cause: 8 eps (1 + |r'|) (1 + mu), with the scaled impulse r' and the machine
 * precision eps. */
double cst_local_rounding_floor(const cst_local_problem *problem, const double *r);

/* Returns the residual of the impulse r, the norm of the Alart-Curnier function of the scaled impulse r' and the scaled
 * velocity u'. */
double cst_local_error(const cst_local_problem *problem, const double *r);

/* |r'| = w |r| / |b|. */
double cst_local_magnitude(const cst_local_problem *problem, const double *r);

/* Returns true if the residual of the impulse r is at most `tolerance` or at most cst_local_rounding_floor, and the scaled
 * impulse |r'| is at most CST_IMPULSE_LIMIT. */
bool cst_local_meets(const cst_local_problem *problem, const double *r, double tolerance);

/* Exact methods. `r`: the impulse; on input the initial guess, on output the solution. On input, result->status must be FAILED.
 * On success, cst_local_direct_2d and cst_local_direct_3d set the status, the contact case and, for a sliding contact, the ratio
 * alpha in `result`; they do not set result->error. The status in `result` stays FAILED if the contact's matrix W is indefinite,
 * or so nearly singular that the computed impulse has large rounding errors. */
void cst_local_direct_2d(const cst_local_problem *problem, double *r, cst_local_result *result);
void cst_local_direct_3d(const cst_local_problem *problem, double *r, cst_local_result *result);

/* Computes the initial guess of an iterative method without a warm start. The initial guess is the sticking impulse -W^-1 b (W:
 * matrix of the contact, b: free velocity), projected on the friction cone. If W is singular or the projected impulse is zero,
 * the initial guess is the impulse of the contact without friction. Newton's method fails twenty times as often from a zero
 * impulse as from the projected sticking impulse. */
void cst_local_cold_start(const cst_local_problem *problem, double *r);

/* Iterative methods. `r`: the scaled impulse; on input the initial guess, on output the best iterate. Returns the number of
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
