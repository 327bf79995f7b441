/* Solves one island of contacts (contacts that share bodies) of a friction problem that is given by bodies. */
#ifndef CST_FRICTION_SOLVE_ISLAND_H
#define CST_FRICTION_SOLVE_ISLAND_H

#include "friction/solve_tied.h"

/* Returns the form (unknowns and matrices, capstan/friction.h) in which an island of contacts is solved: `asked`, unless `asked`
 * is CST_FORM_AUTO. With CST_FORM_AUTO, an island with cloth has the mixed form (unknowns: node velocities and contact impulses).
 * An island without cloth has the explicit form (Delassus matrix assembled) or the product form (not assembled), whichever moves
 * fewer bytes per sweep. However, an island whose bilateral constraints cst_island_solve eliminates is solved in the product
 * form. With CST_FORM_AUTO, a Delassus matrix above 4 GB is never assembled. */
cst_form cst_island_form(const cst_body_problem *problem, cst_form asked, cst_arena *arena);

/* Solves one island of contacts. `bodies`: the bodies of the island with factorised system matrices; cloth in an island of the
 * mixed form (CST_FORM_MIXED) is not factorised. `options`: `form` must not be CST_FORM_PRIMAL, and `velocity_scale` must be the
 * velocity scale of the whole problem. `lent`: results of an earlier elimination of the bilateral constraints, which are reused,
 * or NULL. `r` (contacts x dim): impulses, initial guess on input and answer on output. `v` (dofs): velocities of the bodies,
 * output. `compliance` (contacts): output, the compliance of each contact for the residual (friction/body_audit.h); NaN: not
 * computed, or the check of a body failed. Fills the report except its residual; report->status is the result of the solver
 * alone, before the residual is compared with the tolerance. */
void cst_island_solve(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent, cst_arena *arena,
                      double *r, double *v, double *compliance, cst_friction_report *report);

#endif
