/* Chooses the form (explicit, product or mixed) of one island of a body problem, solves the island, and computes the velocities
 * of its bodies. */
#ifndef CST_FRICTION_SOLVE_ISLAND_H
#define CST_FRICTION_SOLVE_ISLAND_H

#include "friction/solve_tied.h"

/* Returns the form (explicit, product or mixed) in which an island is solved. The returned form is `asked`, unless `asked` is
 * CST_FORM_AUTO. With CST_FORM_AUTO, the form is mixed if the island has a nodal body; otherwise it is explicit or product,
 * whichever moves fewer bytes in a sweep. */
cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena);

/* Solves an island. `bodies`: the prepared bodies of the island; in the mixed form, nodal bodies are not prepared. The form in
 * `options` must not be primal, and options->velocity_scale must be the velocity scale of the whole problem. `lent`: an existing
 * elimination of the bilateral constraints (ties) between bodies, to be reused, or NULL. `r` (contacts x dim): the impulses,
 * initial guess on input and answer on output. `v` (dofs): output. `compliance` (contacts): output, the compliance of each
 * contact, which the residual needs (friction/body_audit.h); NaN if the compliance was not computed. Fills the report except its
 * residual; the status is the one that the solver itself reports. */
void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report);

#endif
