/* Islands with ties: bilateral rows are eliminated (friction/ties.h), the contacts that are left are solved in product form. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/ties.h"

/* The motion with ties and without contacts, and the elimination of the ties that it was found with. */
typedef struct cst_tied_motion {
    const cst_body_problem *problem; /* of tied bodies; all its contacts are ties */
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *r; /* (ties x dim) */
    double *v; /* (dofs) */
} cst_tied_motion;

/* The same ties in a problem that has contacts, too: what the motion was found with serves once more. */
typedef struct cst_tie_loan {
    cst_tied_motion *motion;
    /* (bodies of the problem) which body of the motion's problem each is, in the same order, or -1: not tied */
    const int32_t *body;
    int first;                                 /* ties are the contacts from this one on, those of the motion in their order */
    const int32_t *whole_body, *whole_contact; /* of an island: its bodies and contacts in the problem */
} cst_tie_loan;

/* As cst_island_solve (friction/solve_island.h); lent NULL: nothing is. False: there is nothing to eliminate, its core would be too large (friction/tie_plan.h),
 * or what is left looks as if it had no solution (where ties leave a contact hardly any motion, W is rounding): r is the guess again, and
 * the rows have to be swept. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report);

/* For a problem whose contacts are all bilateral; cores of any size. free_velocity (dofs): A^-1 rhs. Everything is kept in the arena and
 * points to the problem. CST_SOLVED, CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM. */
cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out);

#endif
