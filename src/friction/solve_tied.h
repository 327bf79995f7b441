/* Solves islands (sets of coupled contacts) with bilateral constraints. The constraints are eliminated (friction/ties.h), and
 * the remaining contacts are solved without forming the Delassus matrix. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/ties.h"

/* The motion of bodies under bilateral constraints only, without other contacts, and the data of the elimination of these
 * constraints. */
typedef struct cst_tied_motion {
    const cst_body_problem *problem; /* contacts: only bilateral constraints */
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *r; /* array (ties x dim): constraint impulses */
    double *v; /* array (dofs): velocities */
} cst_tied_motion;

/* Data to reuse the elimination of bilateral constraints in a new problem with the same constraints and additional contacts. */
typedef struct cst_tie_loan {
    cst_tied_motion *motion;
    /* for each body of the new problem, its index in the earlier problem motion->problem, or -1 if no bilateral constraint acts
     * on the body. The bodies with bilateral constraints have the same order in the new problem and in the earlier problem. */
    const int32_t *body;
    /* the contacts of the new problem from this index on are the bilateral constraints of the earlier problem, in the same
     * order */
    int first;
    /* set only for the solution of one island of the new problem: for each body (whole_body) and each contact (whole_contact) of
     * the island, its index in the whole new problem */
    const int32_t *whole_body, *whole_contact;
} cst_tie_loan;

/* Solves an island like cst_island_solve (friction/solve_island.h), but eliminates the bilateral constraints first. `lent` may
 * be NULL. Returns false, with the initial guess in `r`, in three cases:
 *
 *     the island has no bilateral constraints;
 *     a group of connected hub bodies (bodies that carry others, tie_plan.h) has more than CST_TIE_CORE_MAX dofs;
 *     the solver finds that the problem that remains after the elimination has no solution or is ill-posed.
 *
 * If cst_island_solve_tied returns false, the caller must solve the bilateral constraints iteratively, like contacts. The problem
 * that remains after the elimination may have no solution if bilateral constraints allow almost no motion at a contact: the
 * contact's diagonal block of the Delassus matrix is then only rounding error. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report);

/* Computes the motion of bodies under bilateral constraints without contacts; groups of connected hub bodies (tie_plan.h) may
 * have any number of dofs. `free_velocity` (dofs): A^-1 rhs. The result `out` uses arena memory and points to `problem`. Returns
 * CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM. */
cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out);

#endif
