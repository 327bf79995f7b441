/* Solves groups of coupled contacts (islands) that contain bilateral constraints (ties): these are eliminated (friction/ties.h),
 * and the remaining contacts are solved without forming the Delassus matrix. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/ties.h"

/* The motion that bodies joined by bilateral constraints (ties) would have without contacts, and the elimination of the
 * constraints that was used to compute this motion. */
typedef struct cst_tied_motion {
    const cst_body_problem *problem; /* all its contacts are ties */
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *r; /* (ties x dim) */
    double *v; /* (dofs) */
} cst_tied_motion;

/* Data to reuse the elimination of bilateral constraints (ties) in another problem that has the same constraints and additional
 * contacts. */
typedef struct cst_tie_loan {
    cst_tied_motion *motion;
    /* for each body of the problem, its index in motion->problem, or -1 if no bilateral constraint acts on the body; both
     * problems have the constrained bodies in the same order */
    const int32_t *body;
    /* index of the first bilateral constraint: the contacts from this index on are the bilateral constraints of motion->problem,
     * in the same order */
    int first;
    /* for a group of coupled contacts (island) that is solved separately: indices of its bodies and contacts in the whole
     * problem */
    const int32_t *whole_body, *whole_contact;
} cst_tie_loan;

/* Solves a group of coupled contacts like cst_island_solve (friction/solve_island.h), but first eliminates the bilateral
 * constraints (ties). `lent` may be NULL. Returns false if there are no bilateral constraints, or if a group of connected bodies
 * that are eliminated together (core) has too many dofs (friction/tie_plan.h). The function also returns false if the problem
 * that remains after the elimination of the bilateral constraints seems to have no solution. There may be no solution if
 * bilateral constraints allow almost no motion at a contact: after their elimination, the contact's diagonal block of the
 * Delassus matrix is only rounding error. If the function returns false, `r` holds the initial guess again, and the caller must
 * solve the bilateral constraints iteratively, like contacts. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report);

/* Computes the motion of bodies on which only bilateral constraints act; groups of bodies joined by constraints may have any
 * size. `free_velocity` (dofs): A^-1 rhs. The result `out` uses arena memory and contains a pointer to `problem`. Returns
 * CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM. */
cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out);

#endif
