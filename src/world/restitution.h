/* Restitution that never gains energy.
 *
 * By Newton's law of impact, a contact that strikes has the normal velocity u_after = -e u_before after the impact, with the
 * coefficient of restitution e. Together with Coulomb friction, or with contacts that do not strike, Newton's law of impact can
 * gain energy, for example if a rod strikes obliquely with its tip and the tip sticks. The gain of energy by Newton's law of
 * impact is known as Kane's paradox (Kane and Levinson, Dynamics, 1985; Stronge, Impact Mechanics, 2000, chapter 3; Glocker,
 * Energetic consistency conditions for standard impacts, Multibody System Dynamics 29, 2013).
 *
 * If the work W of the impact on an island is positive, all coefficients of restitution of the island are multiplied by a common
 * factor below 1. Bisection finds the largest factor on the restitution of an island, among the multiples of 1/16, with which the
 * work of the impact is not positive. The work W of the impact follows from the contact impulses (Thomson and Tait):
 *
 *     `W = sum r^T*(u_before+u_after)/2`.
 *     `island`: bodies connected by contacts or constraints.
 *     `W`: work of the impact on an island, a sum over the contacts of the island.
 *     `r`: impulse of a contact.
 *     `u_before`, `u_after`: relative velocities of the two bodies at a contact before and after the impact.
 *
 * Without restitution, the work of an impact is positive only if recovery from penetration adds energy.
 *
 * The work of an impact contains only changes of kinetic energy. If a vibrating rod strikes with its tip, the impulse that throws
 * the tip back also bends the rod; the gain of bending energy appears only in the energy balance of the whole step
 * (world/ledger.h). If a step gains energy and halving the step does not help, the step is repeated with all coefficients of
 * restitution times one half, then times a quarter, then zero (world/step.c). For example, a vibrating stiff rod that struck with
 * its tip (e = 1) gained 0.05 J of bending energy, although its kinetic energy was only 0.04 J (capstan-bench random --seeds
 * 860). */
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
    /* array (units): for each unit (body or group of joined bodies), the first unit of its island (set of connected bodies) */
    int32_t *island;
    double *share; /* array (units), at the first unit of each island: factor on the restitution of the island */
    /* array (units), at the first unit of each island: largest tested factor on the restitution of the island with which the
     * impact gains no energy */
    double *low;
    /* arrays (units), stored at the first unit of each island: work (J) of the impact, and limit (J) below which the work
     * counts as zero */
    double *work, *slack;
    int rounds;
} cst_restitution;

/* For each unit, writes the first unit of its island (set of connected bodies) to the array `island` (units). A unit of the
 * friction problem is a body, or a group of joined bodies that the friction solver treats as one body. */
void cst_contact_islands(const cst_layout *layout, const cst_contact_set *set, const cst_tied *tied, int32_t *island);

/* Finds the islands of the friction problem. Returns false if no contact has an impact with restitution, or if memory ran out
 * (arena->failed). */
bool cst_restitution_begin(cst_restitution *restitution, const cst_step_frame *frame, const cst_layout *layout,
                           const cst_tied *tied, const cst_velocities *velocities, cst_contact_set *set, cst_arena *arena);

/* Lowers the restitution of the islands whose impact gains energy. Call cst_restitution_lower after each friction solve. Returns
 * true, at most five times, if the factor on the restitution of an island has changed, so that the friction problem must be
 * solved again.
 *
 *     `r`, `u`: arrays (contacts x dim): impulses r and velocities u of the friction solution; the normal component of u is the
 *         normal velocity minus its lower bound (cst_contact_row.floor).
 *     `resolved`: smallest velocity (m/s) that the friction solver resolves. */
bool cst_restitution_lower(cst_restitution *restitution, const double *r, const double *u, double resolved);

#endif
