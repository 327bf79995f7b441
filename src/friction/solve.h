/* What the public entries share. */
#ifndef CST_FRICTION_SOLVE_H
#define CST_FRICTION_SOLVE_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "friction/solve_tied.h"

/* An empty report for these options. False, with status and message: they make no sense (cst_friction_options_fault). */
bool cst_report_begin(const cst_friction_options *options, cst_friction_report *report);

/* False, with status and message: the first guess has a NaN or an infinity. */
bool cst_guess_check(int dim, int contacts, const double *r, cst_friction_report *report);

/* Solve a checked explicit problem with contacts. Times, counts and status as the solver believes; the residual is left to the
 * caller. r is untouched if memory ran out. *solved: the problem that was solved, as given or its symmetric part (lives in
 * the arena). */
void cst_explicit_run(const cst_friction_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                      cst_friction_report *report, const cst_friction_problem **solved);

/* As cst_friction_solve_bodies; lent: its ties, eliminated already (NULL: nothing is lent). */
cst_status cst_solve_bodies_tied(const cst_body_problem *problem, const cst_friction_options *options, const cst_tie_loan *lent,
                                 double *r, double *u, double *v, cst_friction_report *report);

/* The residual has the last word: a solver's claim is taken down to what it says, and a modest solver is taken up. */
void cst_settle_status(const cst_friction_options *options, cst_friction_report *report);

/* The one that weighs more: out of memory most, solved least. */
cst_status cst_worse_status(cst_status a, cst_status b);

#endif
