/* Solves one island of contacts of a friction problem that is given by bodies. An island is a set of contacts that share bodies,
 * directly or through other contacts. */
#ifndef CST_FRICTION_SOLVE_ISLAND_H
#define CST_FRICTION_SOLVE_ISLAND_H

#include "friction/solve_tied.h"

/* Returns the form in which an island is solved: `asked`, unless `asked` is CST_FORM_AUTO. With CST_FORM_AUTO, an island with
 * cloth has the mixed form. Any other island has the explicit form (assembled Delassus matrix) or the product form (products with
 * the Delassus matrix), whichever moves fewer bytes per sweep. A Delassus matrix above 4 GB is never assembled automatically. */
cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena);

/* Solves one island of contacts. `bodies`: the bodies of the island, prepared by cst_bodies_factor; cloth is left out in the
 * mixed form. `options`: must not ask for the primal form; velocity_scale is the velocity scale of the whole problem. `lent`: an
 * elimination of the bilateral constraints to be reused, or NULL. `r` (contacts x dim): impulses, initial guess on input and
 * answer on output. `v` (dofs): output, velocities of the bodies. `compliance` (contacts): output, compliance of each contact for
 * the residual (friction/body_audit.h), or NaN if it was not computed. Fills the report except its residual; report->status is
 * the status that the solver itself found. */
void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report);

#endif
