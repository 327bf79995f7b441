/* One attempt at a step: everything up to, but not including, the change of the world's state. Giving it up is not committing it.
 *
 *     begin       bodies placed where they are, velocities before the step, who is joined to whom
 *     linearise   A and rhs of all bodies, at the start of the step or at the velocities found; the motion without contacts
 *     detect      contacts (world/detection.h) and their rows (world/contact_rows.h)
 *     solve       friction of all bodies that touch anything (world/contact_solve.h); the others move freely
 *     ... again from linearise, at the velocities found, if the step is iterated
 *     look        penetration, what passed through what, errors and motions at the end of the step (world/step_end.h)
 *     commit      the state moves on (world/step.c)
 *
 * The attempt only orders the phases and holds what they exchange. Each phase is a function of the arrays that it works on; none
 * of them includes this header. */
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

/* How the nonlinear problem of the step was solved. */
typedef struct cst_step_solution {
    cst_friction_report friction; /* of the last solve */
    int friction_iterations;      /* of all solves: of the island that needed most */
    int iterations_total;         /* of all solves and all islands */
    int linearisations;
    bool converged;          /* of the iterated step */
    cst_imbalance imbalance; /* of a step to an equilibrium */
} cst_step_solution;

typedef struct cst_attempt {
    cst_world *world;
    cst_step_frame frame;
    double *scratch; /* (4 dofs) of a step to an equilibrium */
    cst_dynamics dynamics;
    cst_velocities velocities;
    cst_geometry geometry;
    cst_strand_check strands;
    cst_contact_set contacts;
    cst_step_solution solution;
    cst_contact_work work;
    double restitution; /* share of it that contacts have in this attempt */
    cst_step_end end;
    cst_step_seconds seconds;
    cst_failure failure; /* if begin or run returned false */
} cst_attempt;

/* Contacts of the attempt that the world does not know from the step before. */
int cst_attempt_new_contacts(const cst_attempt *attempt);

/* restitution: share of it that contacts have. False: attempt->failure says why (memory, something not finite). */
bool cst_attempt_begin(cst_attempt *attempt, cst_world *world, double dt, double restitution);
bool cst_attempt_run(cst_attempt *attempt);

/* The state moves on: the only place where it does. Bodies first, which can be undone; then the contacts. Memory for these has been
 * reserved: it cannot fail. */
void cst_attempt_move_bodies(const cst_attempt *attempt);
void cst_attempt_commit_contacts(const cst_attempt *attempt);

#endif
