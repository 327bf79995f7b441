/* One island of a body problem: its form is chosen, it is solved, its bodies take their velocities. */
#ifndef CST_FRICTION_SOLVE_ISLAND_H
#define CST_FRICTION_SOLVE_ISLAND_H

#include "friction/solve_tied.h"

/* The form in which an island is solved: the one asked for, or `auto`: mixed if a body is nodal, otherwise explicit or product,
 * whichever moves fewer bytes in a sweep. */
cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena);

/* bodies: those of the island, made ready; nodal ones are left out if the form is mixed. options->form is not primal, and
 * options->velocity_scale > 0 is that of the whole problem. lent: its ties, eliminated already, or NULL. r (contacts x dim): first guess in, answer out. v (dofs) out.
 * compliance (contacts) out: for the judge (friction/body_audit.h); not a number if it was not found. Fills the report but for its residual, with the status that the solver believes. */
void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report);

#endif
