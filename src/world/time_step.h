/* Time in whole ticks of dt / 2^n, n the larger of halvings and CST_STEP_CROSSING_HALVINGS, and how long the next step is.
 *
 * A step is dt / 2^level. After an attempt, the adaptive control asks for half the step, from the same state, if
 *   - something moved by more than motion_limit of the smaller contact radius relative to what it may touch,
 *   - penetration got deeper than penetration_limit of the contact radius, and by more than a tenth of that deeper than it was
 *     (in space an attempt that got deeper at all beyond the limit has been linearised again before: attempt.c),
 *   - friction or the iterated step missed its tolerance, or had no solution,
 * as long as level < halvings (3, if all that is missing is that the iterated step converged) and the last halving helped. After calm_steps steps without a reason to halve the step doubles, where the time is a multiple of
 * the doubled one: so the multiples of dt are always met, and all times are exact. Nothing here looks at a clock.
 *
 * A step in which surfaces cross each other (a thin plate thrown so fast that it turns by radians in a step: no linearisation sees where its
 * corners go), in which centrelines pass through each other, or after which one is deeper than CST_STEP_SUNK_DEPTH within another, is
 * halved in any case, adaptive or not. So is a step that gains energy, as long as that helps, and one whose
 * friction has no solution, before it fails. */
#ifndef CST_WORLD_TIME_STEP_H
#define CST_WORLD_TIME_STEP_H

#include "capstan/capstan.h"

/* Of the limit: a penetration that grows by less in a step is no fault of the step. */
#define CST_STEP_DEEPER 0.1

/* In contact radii. The paper's knot of 20 helices (overhand_knot_paper) with fixed steps of 11 ms sinks to 0.9 and comes out on the other
 * side. */
#define CST_STEP_SUNK_DEPTH 0.25

typedef struct cst_stepping {
    int64_t ticks; /* time */
    int64_t steps; /* accepted */
    int32_t level;
    int32_t calm; /* good steps since the last change */
} cst_stepping;

/* Why an attempt is not good enough; 0: it is. */
typedef enum cst_step_fault {
    CST_STEP_GOOD = 0,
    CST_STEP_TOO_FAST,
    CST_STEP_TOO_DEEP,
    CST_STEP_SUNK,    /* so deep that the next step might not see on which side it was */
    CST_STEP_CROSSED, /* surfaces or centrelines went through each other */
    CST_STEP_GAINED,  /* energy came from nowhere (world/ledger.h) */
    CST_STEP_FAILED,  /* friction has no solution */
    CST_STEP_MISSED
} cst_step_fault;

/* A step in which surfaces cross may become dt / 1024: 5 ms become 5 us, in which 60 m/s go 0.3 mm. */
enum { CST_STEP_CROSSING_HALVINGS = 10 };

/* Halvings of dt that make a tick. */
int cst_stepping_finest(const cst_time_step *rules);

double cst_stepping_time(const cst_stepping *stepping, const cst_time_step *rules);
/* The time at the end of a step of dt that begins now, in the bits that the start of the next one will have. */
double cst_stepping_time_after(const cst_stepping *stepping, const cst_time_step *rules, double dt);
double cst_stepping_dt(const cst_stepping *stepping, const cst_time_step *rules);
int64_t cst_stepping_whole_steps(const cst_stepping *stepping, const cst_time_step *rules); /* -1: in between */

/* True: begin again with half the step, which *stepping now says. False: the step is the best that can be had. */
bool cst_stepping_retry(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

/* The step is done. */
void cst_stepping_accept(cst_stepping *stepping, const cst_time_step *rules, cst_step_fault fault);

#endif
