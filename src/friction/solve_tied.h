/* Solves islands (sets of coupled contacts) with bilateral constraints: the constraints are eliminated (friction/ties.h), and
 * the remaining contacts are solved without forming the Delassus matrix. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/ties.h"

/* The motion of bodies under bilateral constraints alone, without contacts, and the elimination of the constraints that gave
 * it. */
typedef struct cst_tied_motion {
    const cst_body_problem *problem; /* all its contacts are bilateral constraints */
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *r; /* array (ties x dim): constraint impulses */
    double *v; /* array (dofs): velocities */
} cst_tied_motion;

/* Data to reuse the elimination of bilateral constraints in a problem that has the same constraints and additional contacts. */
typedef struct cst_tie_loan {
    cst_tied_motion *motion;
    /* array (bodies of the whole problem): index of each body in motion->problem, or -1 for a body without bilateral
     * constraints. The whole problem and motion->problem have the constrained bodies in the same order. */
    const int32_t *body;
    /* index of the first bilateral constraint in the whole problem. All contacts from this index on are the contacts of
     * motion->problem, in the same order. */
    int first;
    /* if an island is solved separately: indices of its bodies and contacts in the whole problem */
    const int32_t *whole_body, *whole_contact;
} cst_tie_loan;

/* Solves an island like cst_island_solve (friction/solve_island.h), but eliminates the bilateral constraints first. `lent` may
 * be NULL. Returns false, with the initial guess in `r`, in three cases; the caller must then solve the bilateral constraints
 * iteratively, like contacts:
 *
 *     There are no bilateral constraints.
 *     A core of hub bodies has too many dofs (tie_plan.h).
 *     The eliminated problem seems to have no solution.
 *
 * The eliminated problem may have no solution if bilateral constraints allow almost no motion at a contact, because the
 * diagonal block of the contact in the Delassus matrix is then only rounding error. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report);

/* Computes the motion of bodies under bilateral constraints alone; sets of bodies joined by constraints may have any size.
 * `free_velocity` (dofs): A^-1 rhs. The result `out` uses arena memory and points to `problem`. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM. */
cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out);

#endif
