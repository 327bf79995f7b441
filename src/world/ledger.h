/* Checks whether a step gains energy.
 *     `gain`: increase of the kinetic and potential energy in a step, minus the work of external actions (J).
 *     `moved`: reference energy (J), a measure of the energy converted in the world so far.
 *
 * External actions are loads, prescribed motions and moving obstacles. The reference energy is the sum of the kinetic energy at
 * the start of the energy balance, the largest release of potential energy so far, the positive work of external actions, and the
 * energy gains of accepted steps.
 *
 * A correct step gains energy only by recovery from penetration or by rounding; a larger gain is an error of the linearisation.
 * An example of a linearisation error: if a stiff fiber snaps straight within one step, the linearised step moves every node
 * along a straight line, and thereby stretches the fiber. A step that gains more than a thousandth of the reference energy is
 * retried with half the step length or with less restitution (world/step.c).
 *
 * The energy gains of the steps are accumulated in the variable `rise`, which becomes max(0, rise + gain) after each step. The
 * larger the accumulated energy gain, the smaller is the limit on the energy gain of the next step. If the accumulated gain is
 * three thousandths of the reference energy or more, the limit on the energy gain of the next step is 2 % of the limit without
 * accumulated gain. The limit depends on the accumulated gain, because small energy gains in many steps can add up. For example,
 * a bent rod (model CORDE) that spun about its own axis by 0.1 rad per step gained 5e-4 of the reference energy in each of a
 * thousand steps, because a linearised rotation makes its curvature vector longer. */
#ifndef CST_WORLD_LEDGER_H
#define CST_WORLD_LEDGER_H

#include "capstan/capstan.h"
#include "world/contact_set.h"

typedef struct cst_ledger {
    bool open;     /* false: the next step initialises it */
    double energy; /* total mechanical energy (J) of the bodies after the last step */
    double start;  /* potential energy when opened (J) */
    double lowest; /* lowest potential energy since then (J) */
    double given;  /* sum (J) of all terms of the reference energy except the released potential energy */
    /* accumulated energy gain (J) of the steps so far */
    double rise;
    double gravity; /* gravity part of the energy */
} cst_ledger;

void cst_ledger_open(cst_ledger *ledger, const cst_energies *now);

/* Returns the reference energy (J). */
double cst_ledger_moved(const cst_ledger *ledger);

/* The energy balance of a step that is not committed yet. */
typedef struct cst_ledger_entry {
    double came;  /* work (J) of external actions */
    double gain;  /* energy gained without work (J) */
    double moved; /* reference energy after the step (J) */
    double limit; /* smaller gains are accepted (J) */
    double lift;  /* increase of the gravity energy (J) */
} cst_ledger_entry;

/* Computes the energy balance of a step from the works and energies `before` and `after` it. Contact velocities below `resolved`
 * (m/s) count as rounding errors. */
cst_ledger_entry cst_ledger_weigh(const cst_ledger *ledger, const cst_energies *before, const cst_energies *after,
                                  const cst_contact_set *set, double resolved);
void cst_ledger_enter(cst_ledger *ledger, const cst_energies *after, const cst_ledger_entry *entry);

#endif
