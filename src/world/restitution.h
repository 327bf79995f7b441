/* Restitution that never gains energy.
 *
 * By Newton's law of impact, a contact that strikes with the normal velocity u_N^- has the normal velocity u_N+ = -e u_N^-
 * after the impact. Together with Coulomb friction, or with other contacts that do not strike, Newton's law can require more
 * energy than there was before the impact, for example if a rod strikes obliquely with its tip and the tip sticks. The gain of
 * energy in such impacts is known as Kane's paradox (Kane and Levinson, Dynamics, 1985; Stronge, Impact Mechanics, 2000,
 * chapter 3; Glocker, Energetic consistency conditions for standard impacts, Multibody System Dynamics 29, 2013). The impulses
 * r of an impact add to the kinetic energy (Thomson and Tait)
 *
 *     W = sum of r^T (u+ + u-) / 2,
 *
 * summed over the contacts of an island (bodies joined by contacts or ties), where u- and u+ are the relative velocities before
 * and after the impact. If the work W of an island is positive, the restitution of this island is lowered: every e becomes s e,
 * and bisection finds the largest s of 0, 1/16, ... 1 with W <= 0. For s = 0 and the Delassus matrix G, the work is W = r^T u+
 * - r^T G r / 2 <= 0, except for the energy that recovery from penetration adds.
 *
 * The work W contains only masses. The stiffness of a fast vibrating rod also acts within the step: the impulse that throws its
 * tip back bends the rod, and the work W does not contain this elastic energy. A gain of elastic energy in an impact only
 * appears in the energy balance of the whole step. If the step gains energy (world/ledger.h) and halving does not help, the
 * step is retried with half of all restitution, with a quarter, and with none (world/step.c). For example, a stiff rod that
 * struck with its tip, e = 1, while it vibrated, gained 0.05 J of bending energy for 0.04 J of motion (capstan-bench random
 * --seeds 860).
 *
 *     `begin` finds the islands and the contacts that strike with restitution.
 *     `lower` is called after each solve, and sets lower bounds `floor` of the normal velocities for the next solve if one is
 *     needed. */
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
    int32_t *island;      /* (units) first unit of the unit's island */
    double *share;        /* (units) factor s of the island that begins at this unit */
    double *low;          /* (units) largest valid s so far */
    double *work, *slack; /* (units) work W of the island that begins at this unit, and limit below which W counts as zero */
    int rounds;
} cst_restitution;

/* Fills in island (units): the first unit of the island of each unit. */
void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island);

/* Returns false if no contact strikes with restitution, or if memory ran out (arena->failed). */
bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena);

/* `r`, `u` (contacts x dim): impulses and velocities of the solution; u is measured from the lower bounds `floor`. `resolved`:
 * smaller velocities count as zero. Returns true if a lower bound `floor` has changed and the friction problem must be solved
 * again; this happens at most five times. */
bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved);

#endif
