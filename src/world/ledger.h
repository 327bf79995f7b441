/* Tracks how much energy has moved in a world, and whether a step gains energy:
 *
 *     moved = kinetic energy at the start + largest release of potential energy (elastic and weight) so far
 *             + positive work of loads, prescribed motions and moving obstacles
 *     gain  = kinetic+ + potential+ - kinetic - potential - (work of loads, prescribed motions and moving obstacles in the step).
 *
 * Friction, impacts, viscosity and the time-stepping scheme only take energy from the bodies. A step can gain energy only by
 * recovery from penetration, by rounding, or by an error of the linearisation: a stiff fiber that snaps straight within one
 * step stretches, because the linearised step moves every node along a straight line. A step that gains more than a thousandth
 * of the moved energy is retried with half the step (world/step.c).
 *
 * Small gains add up. The rise of the energy above its lowest value so far,
 *
 *     rise = max(0, rise + gain)
 *
 * reduces the gain that the next step may have: hardly any gain is allowed when the rise is three thousandths of the moved
 * energy. For example, a bent CORDE rod that spins about its own axis at 600 rad/s, 0.1 rad per step, gained 5e-4 of the moved
 * energy in each of a thousand steps. As this rod spins, its bent shape turns relative to its material, so its curvatures move
 * on a circle; a step that is linearised only once leaves this circle. With shorter steps this rod does not gain energy:
 * viscosity stops its spin. */
#ifndef CST_WORLD_LEDGER_H
#define CST_WORLD_LEDGER_H

#include "capstan/capstan.h"
#include "world/contact_set.h"

typedef struct cst_ledger {
    bool open;      /* false: the next step initialises it */
    double energy;  /* J: kinetic + elastic + gravity energy at the end of the last step */
    double start;   /* J: elastic + gravity energy when opened */
    double lowest;  /* lowest elastic + gravity since then */
    double given;   /* J: kinetic energy at the start + all positive work + all accepted gains */
    double rise;    /* J: rise of the energy above its lowest value so far, not counting work of loads, motions and obstacles */
    double gravity; /* gravity part of the energy */
} cst_ledger;

void cst_ledger_open(cst_ledger *ledger, const cst_energies *now);

/* Returns the moved energy in J. */
double cst_ledger_moved(const cst_ledger *ledger);

/* The energy balance of a step that is not committed yet. */
typedef struct cst_ledger_entry {
    double came;  /* J: work of loads, prescribed motions and moving obstacles */
    double gain;  /* J: energy gained without work */
    double moved; /* J: moved energy including this step */
    double limit; /* J: smaller gains are accepted */
    double lift;  /* J: increase of the gravity energy */
} cst_ledger_entry;

/* Computes the energy balance of a step. `before`: works at the start of the step; `after`: works and energies at its end.
 * `resolved`: smaller velocities are rounding. */
cst_ledger_entry cst_ledger_weigh(const cst_ledger *ledger, const cst_energies *before, const cst_energies *after,
                                  const cst_contact_set *set, double resolved);
void cst_ledger_enter(cst_ledger *ledger, const cst_energies *after, const cst_ledger_entry *entry);

#endif
