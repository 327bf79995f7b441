/* Functions that the public entry points of the friction solvers share. */
#ifndef CST_FRICTION_SOLVE_H
#define CST_FRICTION_SOLVE_H

#include "base/arena.h"
#include "capstan/friction.h"
#include "friction/solve_tied.h"

/* Starts an empty report. Returns false, with status and message in the report, if the options are invalid
 * (cst_friction_options_fault). */
bool cst_report_begin(const cst_friction_options *options, cst_friction_report *report);

/* Returns false, with status and message in the report, if the initial guess has a NaN or an infinity. */
bool cst_guess_check(int dim, int contacts, const double *r, cst_friction_report *report);

/* Solves a checked friction problem with a given Delassus matrix and at least one contact. Fills in the times, the counts and
 * the solver's own status of the report; the caller computes the residual. The impulses `r` are unchanged if memory ran out.
 * `symmetric`: the matrix is known to be exactly symmetric, so its asymmetry is not computed, which saves 2 % of a time step on
 * scattered mats of hair. Sets *solved to the problem that was solved: the given one, or a copy in arena memory with the
 * symmetric part of its matrix. */
void cst_explicit_run(const cst_friction_problem *problem, bool symmetric, const cst_friction_options *options, cst_arena *arena,
                      double *r, cst_friction_report *report, const cst_friction_problem **solved);

/* Like cst_friction_solve_bodies. `lent`: an existing elimination of the bilateral constraints between bodies to reuse, or
 * NULL. */
cst_status cst_solve_bodies_tied(const cst_body_problem *problem, const cst_friction_options *options, const cst_tie_loan *lent,
                                 double *r, double *u, double *v, cst_friction_report *report);

/* Sets the final status from the residual, whatever the solver reported: CST_SOLVED if and only if the residual meets the
 * tolerance. */
void cst_settle_status(const cst_friction_options *options, cst_friction_report *report);

/* Returns the more serious of two statuses; CST_OUT_OF_MEMORY is the most serious status, CST_SOLVED the least serious. */
cst_status cst_worse_status(cst_status a, cst_status b);

#endif
