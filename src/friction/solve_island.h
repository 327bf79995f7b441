/* Solves one island (group of coupled contacts) of a friction problem given by bodies: chooses whether the Delassus matrix is
 * formed, and computes impulses and body velocities. */
#ifndef CST_FRICTION_SOLVE_ISLAND_H
#define CST_FRICTION_SOLVE_ISLAND_H

#include "friction/solve_tied.h"

/* Returns the form in which an island (group of coupled contacts) is solved. The explicit form assembles the Delassus matrix, the
 * product form applies it through the bodies, and the mixed form is for cloth. The function returns the requested form `asked`,
 * unless `asked` is CST_FORM_AUTO (automatic choice). With CST_FORM_AUTO, the form is mixed if the island contains cloth (a nodal
 * body); otherwise the explicit or the product form is chosen, whichever moves fewer bytes in a sweep. */
cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena);

/* Solves an island. `bodies`: the bodies of the island, with factorised matrices; in the mixed form, the matrices of nodal bodies
 * (cloth) are not factorised. The options must not request the primal form (primal_gauss_seidel.h), and options->velocity_scale
 * must be the velocity scale of the whole problem. `lent`: an existing elimination of the bilateral constraints (ties) between
 * bodies, to be reused, or NULL. `r` (contacts x dim): the impulses, initial guess on input and answer on output. `v` (dofs):
 * output. `compliance` (contacts): output, the compliance of each contact, which the residual needs (friction/body_audit.h); NaN
 * if the compliance was not computed. Fills the report except its residual; the status is the one that the solver itself
 * reports. */
void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report);

#endif
