/* Functions that the public entry points of the friction solvers share (solve_explicit.c, solve_bodies.c). */
#ifndef CST_FRICTION_SOLVE_H
#define CST_FRICTION_SOLVE_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "friction/solve_tied.h"

/* Starts an empty report. Returns false, with status and message in the report, if the options are invalid. */
bool cst_report_begin(const cst_friction_options *options, cst_friction_report *report);

/* Returns false, with status and message in the report, if the initial guess is not finite. */
bool cst_guess_check(int dim, int contacts, const double *r, cst_friction_report *report);

/* Like cst_friction_solve_bodies. `lent`: an earlier elimination of the bilateral constraints to be reused (solve_tied.h), or
 * NULL. */
cst_status cst_solve_bodies_tied(const cst_body_problem *problem, const cst_friction_options *options, const cst_tie_loan *lent,
                                 double *r, double *u, double *v, cst_friction_report *report);

/* Sets the status in the report to CST_SOLVED if the residual meets the tolerance. If the residual misses the tolerance, changes
 * the status CST_SOLVED to CST_TOLERANCE_MISSED, and keeps every other status. */
void cst_settle_status(const cst_friction_options *options, cst_friction_report *report);

/* Returns the more serious of two statuses, from CST_SOLVED (least) to CST_OUT_OF_MEMORY (most). */
cst_status cst_worse_status(cst_status a, cst_status b);

#endif
