/* An attempt at a step makes all computations of the step, but does not update the state of the world. To reject an attempt,
 * the caller simply does not commit its result.
 *
 *     The phase `begin` places the bodies, gets their velocities at the start of the step, and finds the groups of bodies that
 *     are joined by constraints.
 *     The phase `linearise` assembles the matrix and the right-hand side of each body, at the start of the step or at the end
 *     velocities found so far.
 *     The phase `detect` of an attempt finds contacts (world/detection.h) and computes their Jacobian rows
 *     (world/contact_rows.h).
 *     The phase `solve` solves the friction problem of all bodies with contacts (world/contact_solve.h); bodies without contacts
 *     move freely.
 *     If a step is linearised repeatedly until it converges, the phases from `linearise` to `solve` are repeated at the end
 *     velocities found so far.
 *     The phase `look` measures penetrations, motions and constraint errors at the end of the step, and finds centrelines that
 *     passed through each other (world/step_end.h).
 *     The phase `commit` updates the state of the world (world/step.c).
 *
 * The attempt calls the phases `begin`, `linearise`, `detect`, `solve` and `look` in this order, and stores the data that they
 * exchange. Each phase of a step is a function that works only on the arrays that it is given, so no phase includes the header
 * attempt.h. */
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
    cst_friction_report friction; /* of the last solve */
    int friction_iterations;      /* slowest island of each solve, summed */
    int iterations_total;         /* iterations summed over solves and islands */
    int linearisations;
    /* number of linearisations after which the step first ends without a deep penetration; 0: after every linearisation, the
     * penetration is deep */
    int needed;
    bool converged;          /* of the iterated step */
    cst_imbalance imbalance; /* of a step to an equilibrium */
} cst_step_solution;

typedef struct cst_attempt {
    cst_world *world;
    cst_step_frame frame;
    double *scratch; /* array (4 x dofs): temporary vectors for the force balance in a step to an equilibrium */
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
    cst_failure failure; /* if begin or run returned false */
} cst_attempt;

/* Returns the number of contacts of the attempt that did not exist in the previous step. */
int cst_attempt_new_contacts(const cst_attempt *attempt);

/* The argument `restitution` is a factor on the coefficients of restitution of all contacts. Returns false if the attempt failed,
 * for example because memory ran out; attempt->failure gives the reason. */
bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt, double restitution);
bool cst_attempt_run(cst_attempt *attempt);

/* Only the functions cst_attempt_move_bodies and cst_attempt_commit_contacts change the world's state. Call
 * cst_attempt_move_bodies first, because its effect can still be undone, and then cst_attempt_commit_contacts. The functions
 * cst_attempt_move_bodies and cst_attempt_commit_contacts cannot fail, because the memory that they need is already reserved. */
void cst_attempt_move_bodies(const cst_attempt *attempt);
void cst_attempt_commit_contacts(const cst_attempt *attempt);

#endif
