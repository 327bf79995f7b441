/* Time is counted in whole ticks of dt / 2^n, where n is the larger of halvings and CST_STEP_CROSSING_HALVINGS. The functions of
 * this file also choose the length of the next step.
 *
 * A step is dt / 2^level. The adaptive control retries an attempt with half the step, from the same state, in these cases:
 *   * At a contact, the two sides moved relative to each other by more than motion_limit times the smaller contact radius.
 *   * The penetration exceeds penetration_limit times the contact radius, and has grown by more than a tenth of this limit in
 *     the step. (In 3D, if the penetration grew at all beyond the limit, the attempt has already been relinearised, see
 *     attempt.c.)
 *   * The friction solver or the iterated step missed its tolerance, or the friction problem had no solution.
 * The step is halved as long as level < halvings (level < 3 if the only fault is that the iterated step did not converge) and the
 * last halving helped. After calm_steps good steps the step doubles, if the time is a multiple of the doubled step. Because
 * steps double only at such times, every multiple of dt is the end of a step, and all times are exact. The choice of steps does
 * not depend on computing time.
 *
 * Some steps are halved even without adaptive control: steps in which surfaces cross each other (for example a thin plate that
 * turns by radians in a step, whose corners no linearisation predicts), in which centrelines pass through each other, or that end
 * with a penetration deeper than CST_STEP_SUNK_DEPTH. A step that gains energy is also halved, as long as halving helps. A step
 * whose friction problem has no solution is halved too; it fails only if halving does not help. */
#ifndef CST_WORLD_TIME_STEP_H
#define CST_WORLD_TIME_STEP_H

#include "capstan/capstan.h"

/* If the penetration grows in a step by less than CST_STEP_DEEPER times penetration_limit, the step is not rejected for its
 * penetration. */
#define CST_STEP_DEEPER 0.1

/* In contact radii. Without this limit, the penetration in the knot of 20 helices (overhand_knot_paper) with fixed steps of 11
 * ms reaches 0.9 radii, and strands come out on the other side. */
#define CST_STEP_SUNK_DEPTH 0.25

typedef struct cst_stepping {
    int64_t ticks; /* time */
    int64_t steps; /* accepted steps */
    int32_t level;
    int32_t calm; /* good steps since the last change */
} cst_stepping;

/* Reason why an attempt at a step is rejected; 0 if the attempt is good. */
typedef enum cst_step_fault {
    CST_STEP_GOOD = 0,
    CST_STEP_TOO_FAST,
    CST_STEP_TOO_DEEP,
    CST_STEP_SUNK,    /* so deep that the next step may take the wrong side */
    CST_STEP_CROSSED, /* surfaces or centrelines passed through each other */
    CST_STEP_GAINED,  /* the step gained energy without work (world/ledger.h) */
    CST_STEP_FAILED,  /* friction has no solution */
    CST_STEP_MISSED
} cst_step_fault;

/* A step in which surfaces cross may be halved to dt / 1024. For example, a step of 5 ms becomes 5 us, in which a body at 60 m/s
 * moves 0.3 mm. */
enum { CST_STEP_CROSSING_HALVINGS = 10 };

/* Returns the number n of halvings of dt that give one tick, dt / 2^n. */
int cst_stepping_finest(const cst_time_step *rules);

double cst_stepping_time(const cst_stepping *stepping, const cst_time_step *rules);
/* Returns the time at the end of a step of dt that begins now, with the same bits as the start of the next step. */
double cst_stepping_time_after(const cst_stepping *stepping, const cst_time_step *rules, double dt);
double cst_stepping_dt(const cst_stepping *stepping, const cst_time_step *rules);
int64_t cst_stepping_whole_steps(const cst_stepping *stepping, const cst_time_step *rules); /* -1: not a multiple of dt */

/* Returns true if the step is to be retried with half its length; *stepping is set to this length. Returns false if the step
 * must not be halved further for this fault. */
bool cst_stepping_retry(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

/* Advances the time by an accepted step. */
void cst_stepping_accept(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

#endif
