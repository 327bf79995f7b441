/* Checks whether a step gains energy. The energy gain of a step is compared with a reference energy, which measures how much
 * energy has been converted in the world so far.
 *
 * The reference energy (`moved`) is a sum of energies: the kinetic energy at the start, the largest release of potential energy
 * so far, the positive work of external actions, and the energy gains of accepted steps. External actions are loads, prescribed
 * motions and moving obstacles. The `gain` of a step is the increase of kinetic and potential energy in the step, minus the work
 * of loads, prescribed motions and moving obstacles in the step.
 *
 * Friction, impacts, viscosity and the time-stepping scheme never add energy to the bodies. A step can gain energy only by
 * recovery from penetration, by rounding, or by an error of the linearisation. An example of a linearisation error is a stiff
 * fiber that snaps straight within one step: the linearised step moves every node along a straight line, and so stretches the
 * fiber. A step that gains more than a thousandth of the reference energy (`moved`) is retried with half the step length or
 * with less restitution (world/step.c).
 *
 * Small energy gains add up over many steps, so the largest energy gain that is accepted in a step becomes smaller when the
 * energy rises above its lowest value so far. After each step, the rise of the energy becomes max(0, rise + gain), where `gain`
 * is the energy gain of the step. If the energy is at least three thousandths of the reference energy (`moved`) above its
 * lowest value, the limit on the energy gain of a step falls to two hundredths of its usual value. For example, a bent rod
 * (model CORDE) that spins about its own axis at 600 rad/s (0.1 rad per step) gained 5e-4 of the reference energy in each of a
 * thousand steps. In a bent rod that spins about its own axis, the vector of the two bending curvatures of a cross-section
 * rotates without a change of length. A time step that is linearised only once makes the curvature vector of the rod longer,
 * and so increases the elastic energy of the rod. The limit on energy gains shortens the steps of a bent, spinning rod of the
 * model CORDE, so that the rod gains no energy, and viscosity stops its spin. */
#ifndef CST_WORLD_LEDGER_H
#define CST_WORLD_LEDGER_H

#include "capstan/capstan.h"
#include "world/contact_set.h"

typedef struct cst_ledger {
    bool open;     /* false: the next step initialises it */
    double energy; /* total energy (J) after the last step */
    double start;  /* potential energy when opened (J) */
    double lowest; /* lowest potential energy since then (J) */
    double given;  /* sum (J) of all terms of the reference energy except the released potential energy */
    /* rise (J) of the energy above its lowest value; a rise that is due to the work of loads, prescribed motions and obstacles
     * does not count */
    double rise;
    double gravity; /* gravity part of the energy */
} cst_ledger;

void cst_ledger_open(cst_ledger *ledger, const cst_energies *now);

/* Returns the reference energy (J). */
double cst_ledger_moved(const cst_ledger *ledger);

/* The energy balance of a step that is not committed yet. */
typedef struct cst_ledger_entry {
    double came;  /* work of loads (J), motions, obstacles */
    double gain;  /* energy gained without work (J) */
    double moved; /* reference energy after the step (J) */
    double limit; /* smaller gains are accepted (J) */
    double lift;  /* increase of the gravity energy (J) */
} cst_ledger_entry;

/* Computes the energy balance of a step. The argument `before` contains the works up to the start of the step; `after`
 * contains the works and energies at its end. `resolved`: smaller velocities are rounding. */
cst_ledger_entry cst_ledger_weigh(const cst_ledger *ledger, const cst_energies *before, const cst_energies *after,
                                  const cst_contact_set *set, double resolved);
void cst_ledger_enter(cst_ledger *ledger, const cst_energies *after, const cst_ledger_entry *entry);

#endif
