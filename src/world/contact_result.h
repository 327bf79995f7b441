/* Results of the solved contacts of a step: velocities, cases, works and motion. */
#ifndef CST_WORLD_CONTACT_RESULT_H
#define CST_WORLD_CONTACT_RESULT_H

#include "world/contact_set.h"
#include "world/layout.h"
#include "world/velocities.h"

/* Work done by the contacts in the step, J. */
typedef struct cst_contact_work {
    double normal, friction;
} cst_contact_work;

/* Computes the velocity and the case (stick, slide, take-off) of each contact after the last solve, and the works of all
 * contacts. The bodies must still be placed where they were linearised. `resolved`: a contact with a smaller tangential velocity
 * counts as sticking. Returns false if memory ran out. */
bool cst_contacts_result(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities, double resolved,
                         int threads, cst_arena *arena, cst_contact_set *set, cst_contact_work *work);

/* Returns the largest distance, in contact radii, that the two sides of a contact move relative to each other in the step (dt
 * times the velocity averaged with theta). */
double cst_contacts_relative_motion(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                    int threads, const cst_contact_set *set);

#endif
