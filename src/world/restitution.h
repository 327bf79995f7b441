/* Restitution that never gains energy.
 *
 * Newton's law gives a striking contact the normal velocity u_N+ = -e u_N^-. Together with Coulomb friction, or with other
 * contacts that do not strike, this can require more energy than there was: for example a rod that strikes obliquely with its tip
 * and sticks there (Kane's paradox: T. R. Kane and D. A. Levinson, Dynamics, 1985; W. J. Stronge, Impact Mechanics, 2000, ch. 3;
 * C. Glocker, Energetic consistency conditions for standard impacts, Multibody System Dynamics 29, 2013). The impulses r add to
 * the kinetic energy
 *
 *     W = sum of r . (u+ + u-) / 2                                                          (Thomson and Tait)
 *
 * summed over the contacts of an island (bodies joined by contacts or ties), where u- and u+ are the relative velocities before
 * and after the impact. Where W > 0, the restitution of that island is lowered: every e becomes s e, and bisection finds the
 * largest s of 0, 1/16, ... 1 with W <= 0. With s = 0, W = r . u+ - r . G r / 2 <= 0 (G the Delassus matrix), except for the
 * energy that recovery from penetration adds.
 *
 * W contains only masses. A rod that vibrates fast also resists by its stiffness within the step: the impulse that throws its tip
 * back bends the rod, and this elastic energy is not in W. Only the whole step shows such a gain. If the step gains energy
 * (world/ledger.h) and halving does not help, it is retried with half of all restitution, with a quarter, and with none
 * (world/step.c). (Example: a stiff rod that strikes with its tip, e = 1, while it vibrates: 0.05 J of bending energy for 0.04 J
 * of motion, capstan-bench random --seeds 860.)
 *
 *     begin       finds contacts that strike with restitution, and the islands
 *     lower       after a solve: sets new floors if the problem has to be solved again */
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
    int32_t *island;      /* (units) first unit of the island of each unit */
    double *share;        /* (units) s of the island whose first unit this is */
    double *low;          /* (units) largest s known to be valid */
    double *work, *slack; /* (units) W, and the value below which W counts as zero */
    int rounds;
} cst_restitution;

/* Fills in island (units): the first unit of the island of each unit. */
void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island);

/* Returns false if no contact strikes with restitution, or if memory ran out (arena->failed). */
bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena);

/* `r`, `u` (dim each, u relative to the floors): solution of all contacts. `resolved`: smaller velocities count as zero. Returns
 * true if floors have changed and the problem must be solved again; this happens at most five times. */
bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved);

#endif
