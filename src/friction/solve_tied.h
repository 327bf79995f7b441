/* Solves islands with bilateral constraints (ties): the ties are eliminated (friction/ties.h), and the remaining contacts are
 * solved without forming the Delassus matrix. */
#ifndef CST_FRICTION_SOLVE_TIED_H
#define CST_FRICTION_SOLVE_TIED_H

#include "friction/ties.h"

/* The motion that tied bodies would have without contacts, and the elimination of the ties that was used to compute this
 * motion. */
typedef struct cst_tied_motion {
    const cst_body_problem *problem; /* all its contacts are ties */
    cst_bodies bodies;
    cst_halves halves;
    cst_ties ties;
    double *r; /* (ties x dim) */
    double *v; /* (dofs) */
} cst_tied_motion;

/* Data to reuse the elimination of the ties of a cst_tied_motion in a problem that has the same ties and additional contacts. */
typedef struct cst_tie_loan {
    cst_tied_motion *motion;
    /* for each body of the problem, its index in motion->problem, or -1 if the body is not tied; both problems have the tied
     * bodies in the same order */
    const int32_t *body;
    /* index of the first tie: the contacts from this index on are the bilateral contacts of motion->problem, in the same order */
    int first;
    const int32_t *whole_body, *whole_contact; /* for an island: indices of its bodies and contacts in the whole problem */
} cst_tie_loan;

/* Like cst_island_solve (friction/solve_island.h), but eliminates the bilateral constraints (ties). `lent` may be NULL. Returns
 * false if there are no ties, or if a group of tied hub bodies would be too large (friction/tie_plan.h). The function also
 * returns false if, after the elimination of the ties, the remaining problem seems to have no solution. If ties allow almost no
 * motion at a contact, its diagonal block of the Delassus matrix is only rounding error after the elimination of the ties, and
 * the problem may have no solution. If the function returns false, `r` holds the initial guess again, and the caller must treat
 * the ties as contacts. */
bool cst_island_solve_tied(const cst_bodies *bodies, const cst_friction_options *options, const cst_tie_loan *lent,
                           cst_arena *arena, double *r, double *v, double *compliance, cst_friction_report *report);

/* Computes the motion of a problem whose contacts are all bilateral; groups of tied bodies may have any size. `free_velocity`
 * (dofs): A^-1 rhs. The result `out` uses arena memory and contains a pointer to `problem`. Returns CST_SOLVED,
 * CST_OUT_OF_MEMORY, or CST_BAD_PROBLEM. */
cst_status cst_tied_motion_find(const cst_body_problem *problem, const double *free_velocity, int threads, cst_arena *arena,
                                cst_tied_motion *out);

#endif
