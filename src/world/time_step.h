/* Counts the time and chooses the length of the next step.
 *
 * Time is counted in whole ticks of dt / 2^n. With fixed steps, the exponent n of the tick dt / 2^n is
 * CST_STEP_CROSSING_HALVINGS. With adaptive steps, the exponent n is the larger of CST_STEP_CROSSING_HALVINGS and the user's
 * parameter `halvings`. A step has the length dt / 2^level, where `level` is the number of its halvings. The adaptive control
 * repeats a step with half the length, from the same state, in these cases:
 *     * The step is halved if the two sides of a contact move relative to each other by more than motion_limit times the smaller
 *       radius of the two bodies.
 *     * The step is halved if the penetration, divided by the smaller radius of the two bodies, exceeds penetration_limit, and
 *       has grown in the step by more than CST_STEP_DEEPER times penetration_limit. Penetrations between a sheet and a surface
 *       are left out of this rule. In 3D, a step whose penetration exceeds penetration_limit and grows at all is first
 *       linearised again (attempt.c).
 *     * The step is halved if the friction solver missed its tolerance, or if the repeated linearisations did not converge.
 * The adaptive control halves a step at most `halvings` times. A step with a deep penetration is halved again only if the last
 * halving has reduced the penetration enough (exceptions in step.c). A step whose repeated linearisations do not converge is
 * not made shorter than dt / 8. After `calm_steps` steps in a row without a reason to halve, the step length is doubled, but only
 * at a time that is a multiple of the doubled length. Every multiple of the full step length dt is the end of a step, and
 * rounding errors of the time do not accumulate. The choice of step lengths does not depend on computing time.
 *
 * Some steps are halved even without adaptive control:
 *     * A step is halved if surfaces cross each other in the step.
 *     * A step is halved if centrelines pass through each other in the step, or if the penetration has grown and is deeper than
 *       CST_STEP_SUNK_DEPTH at the end of the step.
 *     * A step that gains energy is halved as long as each halving reduces the gain enough, or the gain exceeds the reference
 *       energy (step.c).
 *     * A dynamic step whose friction problem has no solution is halved, and fails only if halving does not help.
 *     * A step is halved if bodies move so far that nearly all segments of fibers may meet (collide/capsule_pairs.h). */
#ifndef CST_WORLD_TIME_STEP_H
#define CST_WORLD_TIME_STEP_H

#include "capstan/capstan.h"

/* CST_STEP_DEEPER: a step with a penetration above a limit is still accepted if the penetration has grown in the step by at most
 * CST_STEP_DEEPER times the limit. */
#define CST_STEP_DEEPER 0.1

/* CST_STEP_SUNK_DEPTH: penetration, divided by the smaller radius of the two bodies, above which a step is halved even without
 * adaptive control. Without the limit CST_STEP_SUNK_DEPTH, the knot of 20 helices (overhand_knot_paper) with fixed steps of 11 ms
 * would reach a penetration of 0.9 radii, and its strands would pass through each other. */
#define CST_STEP_SUNK_DEPTH 0.25

typedef struct cst_stepping {
    int64_t ticks; /* time */
    int64_t steps; /* accepted steps */
    int32_t level;
    int32_t calm; /* good steps since the last change */
    /* number of linearisations after which the last step ended without a deep penetration (world/attempt.c); 0: no step yet */
    int32_t linearisations;
} cst_stepping;

/* Reason to reject an attempt at a step if the rules of the time-step control allow another halving; CST_STEP_GOOD: none. */
typedef enum cst_step_fault {
    CST_STEP_GOOD = 0,
    CST_STEP_TOO_FAST,
    CST_STEP_TOO_DEEP,
    CST_STEP_SUNK,    /* so deep that normals may reverse */
    CST_STEP_CROSSED, /* bodies passed through each other */
    CST_STEP_GAINED,  /* energy gained without work (world/ledger.h) */
    CST_STEP_FAILED,  /* the attempt failed, for example because its friction problem has no solution */
    CST_STEP_MISSED
} cst_step_fault;

/* CST_STEP_CROSSING_HALVINGS: largest number of halvings of a step without adaptive control; its shortest length is dt / 1024.
 * For example, ten halvings of a step of 5 ms give a step of 5 us, in which a body at 60 m/s moves by 0.3 mm. */
enum { CST_STEP_CROSSING_HALVINGS = 10 };

/* Returns the number n of halvings of dt that give the length dt / 2^n of a tick, the unit in which time is counted. */
int cst_stepping_finest(const cst_time_step *rules);

double cst_stepping_time(const cst_stepping *stepping, const cst_time_step *rules);
/* Returns the time at the end of a step of length dt that begins at the present time. The returned time is bitwise equal to the
 * start time of the next step. */
double cst_stepping_time_after(const cst_stepping *stepping, const cst_time_step *rules, double dt);
double cst_stepping_dt(const cst_stepping *stepping, const cst_time_step *rules);
int64_t cst_stepping_whole_steps(const cst_stepping *stepping, const cst_time_step *rules); /* -1: not a multiple of dt */

/* Halves the step length after a step was rejected because of `fault`. Returns false, without a change, if the rules of the
 * time-step control (`rules`) allow no further halving after this fault. */
bool cst_stepping_retry(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

/* Advances the time by the length of an accepted step, and doubles the step length if enough good steps have passed. */
void cst_stepping_accept(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

#endif
