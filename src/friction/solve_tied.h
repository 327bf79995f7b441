/* Islands with ties: bilateral rows are eliminated (friction/ties.h), the contacts that are left are solved in product form. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/bodies.h"

/* As cst_island_solve (friction/solve_island.h). False: there is nothing to eliminate, its core would be too large (friction/tie_plan.h),
 * or what is left looks as if it had no solution (where ties leave a contact hardly any motion, W is rounding): r is the guess again, and
 * the rows have to be swept. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                           double *compliance, cst_friction_report *report);

/* The motion with ties and without contacts: v (dofs) of a problem whose contacts are all bilateral, and r (contacts x dim), their
 * impulses; cores of any size. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM with a message. */
cst_status cst_tied_motion(const cst_body_problem *problem, int threads, cst_arena *arena, double *r, double *v, char *message,
                           size_t message_size);

#endif
