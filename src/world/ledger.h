/* How much energy has moved in a world, and whether a step gains any.
 *
 *     moved = kinetic energy at the start + largest release of potential energy (elastic and weight) so far
 *             + positive work of loads, prescribed motions and moving obstacles
 *     gain  = kinetic+ + potential+ - kinetic - potential - (work of loads, prescribed motions and moving obstacles in the step)
 *
 * Friction, impacts, viscosity and the scheme only take, so that a step has no gain but by recovery from penetration, by rounding, or by
 * going wrong: a stiff fiber that snaps straight within one step stretches in it, because its linearised step moves every node along a
 * straight line. A step that gains more than a thousandth of what has moved is begun again with half the step (world/step.c).
 *
 * Small gains add up. What the energy has risen by above its least value so far,
 *
 *     rise = max(0, rise + gain)
 *
 * takes from what the next step may gain: nearly all of it when it is three thousandths of what has moved. (A bent CORDE rod that was set spinning about its own
 * axis, 600 rad/s and 0.1 rad in a step, gained 5e-4 of what had moved in each of a thousand steps: a step linearised once leads out of the circle on which its bending goes
 * round. In shorter steps its viscosity ends the spin.) */
#ifndef CST_WORLD_LEDGER_H
#define CST_WORLD_LEDGER_H

#include "capstan/capstan.h"
#include "world/contact_set.h"

typedef struct cst_ledger {
    bool open;      /* false: the next step opens it */
    double energy;  /* J, all of the following: kinetic, elastic and gravity, at the end of the last step */
    double start;   /* elastic and gravity when it was opened */
    double lowest;  /* the least since */
    double given;   /* kinetic at first, positive work, and gains that were accepted */
    double rise;    /* of the energy, less what came, above its least value */
    double gravity; /* of the energy: that of weight */
} cst_ledger;

void cst_ledger_open(cst_ledger *ledger, const cst_energies *now);

/* J */
double cst_ledger_moved(const cst_ledger *ledger);

/* A step as it would be entered. */
typedef struct cst_ledger_entry {
    double came;  /* J: work of loads, prescribed motions and moving obstacles */
    double gain;  /* J */
    double moved; /* J: with this step */
    double limit; /* J: below which a gain is none */
    double lift;  /* J: of the gain, what weight has */
} cst_ledger_entry;

/* before: works at the start of the step; after: its end. resolved: velocities below it are rounding. */
cst_ledger_entry cst_ledger_weigh(const cst_ledger *ledger, const cst_energies *before, const cst_energies *after,
                                  const cst_contact_set *set, double resolved);
void cst_ledger_enter(cst_ledger *ledger, const cst_energies *after, const cst_ledger_entry *entry);

#endif
