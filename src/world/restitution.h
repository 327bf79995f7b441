/* Restitution that never gains energy.
 *
 * By Newton's law of impact with the coefficient of restitution e, a contact that strikes with the normal velocity u_N^- has the
 * normal velocity u_N+ = -e u_N^- after the impact. Together with Coulomb friction, or with other contacts that have no impact,
 * Newton's law of impact can gain energy, for example if a rod strikes obliquely with its tip and the tip sticks. An energy gain
 * by Newton's law of impact is known as Kane's paradox (Kane and Levinson, Dynamics, 1985; Stronge, Impact Mechanics, 2000,
 * chapter 3; Glocker, Energetic consistency conditions for standard impacts, Multibody System Dynamics 29, 2013).
 *
 * The restitution of each island (bodies joined by contacts or constraints) is lowered until the impact gains no energy:
 *
 *     The work of an impact on an island is W = sum of r^T (u+ + u-) / 2, with the impulses r of its contacts and their
 *     relative velocities u- and u+ before and after the impact (Thomson and Tait).
 *     If the work of the impact on an island (connected bodies) is positive, every coefficient of restitution of the island is
 *     multiplied by a common factor below 1. Bisection finds the largest factor on restitution, among the multiples of 1/16,
 *     for which the work of the impact is not positive.
 *
 * Without restitution, the work of an impact is W = r^T u+ - r^T G r / 2, with the impulses r, the velocities u+ after the impact
 * and the Delassus matrix G. Without restitution, the work of an impact is positive only if recovery from penetration adds
 * energy.
 *
 * The work of an impact contains only changes of kinetic energy. If a vibrating rod strikes with its tip, the impulse that throws
 * the tip back also bends the rod, and the work of the impact does not contain the bending energy. A gain of elastic energy in an
 * impact appears only in the energy balance of the whole step. If the step gains energy (world/ledger.h) and halving it does not
 * help, the step is retried with the coefficients of restitution multiplied by one half, then by a quarter, then by zero
 * (world/step.c). For example, a vibrating stiff rod that struck with its tip (e = 1) gained 0.05 J of bending energy, although
 * its kinetic energy was only 0.04 J (capstan-bench random --seeds 860).
 *
 *     The function `cst_restitution_begin` finds the islands (groups of connected bodies) and the contacts that have an impact
 *     with restitution. The function `cst_restitution_lower` is called after each friction solve; if another solve is needed,
 *     it sets new lower bounds of the normal velocities. */
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
    /* index of the first body of the island (connected bodies) to which each body of the friction problem belongs */
    int32_t *island;
    double *share; /* array (units): factor of the island */
    /* For each island (group of connected bodies): the largest factor found so far with which the impact gains no energy. The
     * coefficients of restitution of the island are multiplied by the factor. */
    double *low;
    /* For each island (group of connected bodies), stored at the index of its first body: work (J) of the impact, and limit below
     * which this work counts as zero. */
    double *work, *slack;
    int rounds;
} cst_restitution;

/* For each unit of the friction problem (a body, or a group of joined bodies that is treated as one body), writes the first unit
 * of its island to `island` (units). */
void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island);

/* Returns false if no contact has an impact with restitution, or if memory ran out (arena->failed). */
bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena);

/* The arrays `r` and `u` (contacts x dim) contain the impulses and velocities of the friction solution; the normal velocities
 * in u are differences from their lower bounds (`floor` of the contact rows). `resolved`: smaller velocities count as zero.
 * Returns true if the lower bound of a normal velocity has changed, so that the friction problem must be solved again. This
 * happens at most five times. */
bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved);

#endif
