/* An attempt computes a step without changing the states of the bodies, so the caller can reject it. The phases of an attempt are
 * called in this order:
 *
 *     `begin`: places the bodies, gets their velocities at the start of the step, and groups the bodies joined by constraints.
 *     `linearise`: assembles the matrix and the right-hand side of each body.
 *     `detect`: finds the contacts (world/detection.h) and computes their Jacobian rows (world/contact_rows.h).
 *     `solve`: solves the friction problem of the bodies with contacts (world/contact_solve.h); bodies without contacts move
 *     freely.
 *     `look`: measures penetrations, motions and constraint errors at the end of the step (world/step_end.h).
 *     `commit`: updates the state of the world (world/step.c).
 *
 * The phases from `linearise` to `solve` can be repeated. The first linearisation is made at the start of the step, and every
 * further one at the end positions predicted by the velocities found so far. Even a rejected attempt overwrites the results of
 * the constraints and, in a step to an equilibrium, the largest force of the run (budget.largest_force). */
#ifndef CST_WORLD_ATTEMPT_H
#define CST_WORLD_ATTEMPT_H

#include "world/contact_result.h"
#include "world/contact_set.h"
#include "world/dynamics.h"
#include "world/geometry.h"
#include "world/quasi_static.h"
#include "world/step_end.h"
#include "world/strand_check.h"
#include "world/world_state.h"

/* Statistics of the solution of the nonlinear problem of a step. */
typedef struct cst_step_solution {
    cst_friction_report friction; /* report of the last friction solve */
    /* friction iterations of the slowest island (set of connected bodies), summed over all solves */
    int friction_iterations;
    /* friction iterations, summed over all solves and all islands (sets of connected bodies) */
    int iterations_total;
    int linearisations;
    /* number of linearisations after which the step no longer ends with a deep penetration (is_deep in attempt.c); 0: the step
     * ends with a deep penetration after every linearisation made so far */
    int needed;
    bool converged;          /* the repeated linearisations have converged */
    cst_imbalance imbalance; /* step to an equilibrium: largest unbalanced force, and largest displacement in the step */
} cst_step_solution;

typedef struct cst_attempt {
    cst_world *world;
    cst_step_frame frame;
    double *scratch; /* array (4 x dofs): working memory for the force balance in a step to an equilibrium */
    /* memory that lasts for the whole attempt ends here; what a linearisation takes is released before the next one */
    cst_arena_mark begun;
    int tracked; /* number of linearisations whose contacts were detected and tracked */
    cst_dynamics dynamics;
    cst_velocities velocities;
    cst_geometry geometry;
    cst_strand_check strands;
    cst_contact_set contacts;
    cst_step_solution solution;
    cst_contact_work work;
    double restitution; /* factor on all coefficients of restitution */
    cst_step_end end;
    cst_step_seconds seconds;
    cst_failure failure; /* reason of a failure */
} cst_attempt;

/* Returns the number of contacts of the attempt that did not exist in the previous step. */
int cst_attempt_new_contacts(const cst_attempt *attempt);

/* Starts an attempt at a step of length dt (s); all coefficients of restitution are multiplied by `restitution`. Returns false if
 * the phase `begin` fails; attempt->failure gives the reason. */
bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt, double restitution);
bool cst_attempt_run(cst_attempt *attempt);

/* To commit an attempt, call cst_attempt_move_bodies and then cst_attempt_commit_contacts. The motion of the bodies can still be
 * undone before cst_attempt_commit_contacts is called. The two functions cst_attempt_move_bodies and cst_attempt_commit_contacts
 * cannot fail, because all memory is already reserved. */
void cst_attempt_move_bodies(const cst_attempt *attempt);
void cst_attempt_commit_contacts(const cst_attempt *attempt);

#endif
