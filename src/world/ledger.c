#include "world/ledger.h"

#include <float.h>
#include <math.h>

/* GAIN: a step that gains more energy than GAIN times the reference energy (a measure of the energy converted in the world so
 * far, ledger.h) is retried. In random worlds (capstan-bench random --seeds 1:300), steps with a wrong result gain 0.01 to 1e5
 * times the reference energy. A ball that bounces with restitution 1 gains up to 1e-2 of the reference energy in a correct step
 * of 1 ms, and up to 1e-3 in shorter steps. */
static const double GAIN = 1e-3;

/* RISE, LEFT: constants in the limit on the energy gain of a step:
 *
 *     `limit = GAIN*E*max(LEFT, 1-rise/(RISE*GAIN*E))`.
 *     `E`: reference energy (ledger.h).
 *     `rise`: accumulated energy gain of the earlier steps (ledger.h).
 *
 * Allowances for rounding and for recovery from penetration are added to the limit on the energy gain. */
static const double RISE = 3.0, LEFT = 0.02;

/* REST: an energy gain below this fraction of the kinetic and elastic energy is always accepted, because the equations of a
 * step are only solved to a tolerance. */
static const double REST = 1e-6;

static double potential(const cst_energies *energies)
{
    return energies->elastic + energies->gravity;
}

void cst_ledger_open(cst_ledger *ledger, const cst_energies *now)
{
    const double given = fmax(ledger->given, now->kinetic);
    *ledger = (cst_ledger){.open = true,
                           .energy = now->kinetic + potential(now),
                           .start = potential(now),
                           .lowest = potential(now),
                           .given = given,
                           .gravity = now->gravity};
}

double cst_ledger_moved(const cst_ledger *ledger)
{
    return ledger->given + (ledger->start - ledger->lowest);
}

/* Computes two energies of a step.
 *     `obstacles`: work of moving obstacles on the bodies that touch them (J).
 *     `slack`: largest energy (J) that recovery from penetration and rounding can add. */
static void weigh_contacts(const cst_contact_set *set, double resolved, double *obstacles, double *slack)
{
    *obstacles = *slack = 0.0;
    for (int i = 0; i < set->contacts; i++) {
        const double *r = set->contact[i].r;
        const cst_contact_row *row = set->row + i;
        for (int c = 0; c < 3 && row->b.body < 0; c++)
            *obstacles += r[c] * row->moved[c];
        *slack += r[0] * (fmax(row->rest, 0.0) + resolved);
    }
}

cst_ledger_entry cst_ledger_weigh(const cst_ledger *ledger, const cst_energies *before, const cst_energies *after,
                                  const cst_contact_set *set, double resolved)
{
    double obstacles, slack;
    weigh_contacts(set, resolved, &obstacles, &slack);
    const double came = after->loads - before->loads + (after->constraints - before->constraints) + obstacles;
    const double moved = ledger->given + fmax(came, 0.0) + (ledger->start - fmin(ledger->lowest, potential(after)));
    const double left = fmax(LEFT, 1.0 - ledger->rise / fmax(RISE * GAIN * moved, DBL_MIN));
    return (cst_ledger_entry){.came = came,
                              .gain = after->kinetic + potential(after) - ledger->energy - came,
                              .moved = moved,
                              .lift = after->gravity - ledger->gravity,
                              .limit = left * GAIN * moved + REST * (after->kinetic + fabs(after->elastic)) + slack};
}

void cst_ledger_enter(cst_ledger *ledger, const cst_energies *after, const cst_ledger_entry *entry)
{
    ledger->energy = after->kinetic + potential(after);
    ledger->gravity = after->gravity;
    ledger->lowest = fmin(ledger->lowest, potential(after));
    ledger->rise = fmax(0.0, ledger->rise + entry->gain);
    ledger->given += fmax(entry->came, 0.0) + fmax(entry->gain, 0.0);
}
