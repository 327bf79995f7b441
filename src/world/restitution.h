/* Restitution that never gains energy.
 *
 * Newton's law asks a contact that strikes for the normal velocity u_N+ = -e u_N^-. Together with Coulomb's friction, or with other contacts
 * that do not strike, this may ask for more energy than there was: a rod that strikes askew with its tip and sticks there (Kane's
 * paradox: T. R. Kane and D. A. Levinson, Dynamics, 1985; W. J. Stronge, Impact Mechanics, 2000, ch. 3; C. Glocker, Energetic consistency
 * conditions for standard impacts, Multibody System Dynamics 29, 2013). What impulses r add to the kinetic energy is
 *
 *     W = sum of r . (u+ + u-) / 2                                                          (Thomson and Tait)
 *
 * over the contacts of an island (bodies that contacts or ties join), u- and u+ the relative velocities before and after. Where W > 0 the
 * restitution of that island is lowered: every e becomes s e, s the largest of 0, 1/16, ... 1 that bisection finds with W <= 0. With s = 0
 * W = r . u+ - r . W r / 2 <= 0, but for what recovery from penetration gives.
 *
 * W knows masses alone. A rod that vibrates fast resists within the step: to throw its tip back, the impulse also bends it, and the elastic energy
 * of that is not in W. Only the whole step tells: if it gains energy (world/ledger.h) that no halving takes away, it is begun again with half of all restitution, with a
 * quarter, with none (world/step.c). (A stiff rod that strikes with its tip, e = 1, while it vibrates: 0.05 J of bending for 0.04 J of motion, capstan-bench random
 * --seeds 860.)
 *
 *     begin       contacts that strike with restitution; islands
 *     lower       after a solve: new floors, if it has to be solved again */
#ifndef CST_WORLD_RESTITUTION_H
#define CST_WORLD_RESTITUTION_H

#include "world/contact_set.h"
#include "world/tied.h"
#include "world/velocities.h"

typedef struct cst_restitution {
    const cst_step_frame *frame;
    const cst_layout *layout;
    const cst_velocities *velocities;
    cst_contact_set *set;
    int32_t *island;      /* (units) the first unit of its island */
    double *share;        /* (units) s of the island that begins with the unit */
    double *low;          /* (units) the largest s known to be good */
    double *work, *slack; /* (units) W, and below which W counts as none */
    int rounds;
} cst_restitution;

/* island (units): the first unit of the island that each is in. */
void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island);

/* False: nothing strikes with restitution, or memory ran out (arena->failed). */
bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena);

/* r and u (dim each, u relative to the floors) of all contacts as solved; resolved: velocities below it are none. True: floors have
 * changed, and the problem must be solved again: at most five times. */
bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved);

#endif
