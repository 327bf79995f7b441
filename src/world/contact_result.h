/* Results of the contacts of a step after the friction solve: velocities, cases (stick, slide, take-off), works and motions. */
#ifndef CST_WORLD_CONTACT_RESULT_H
#define CST_WORLD_CONTACT_RESULT_H

#include "world/contact_set.h"
#include "world/layout.h"
#include "world/velocities.h"

/* Works (J) done by the contacts in a step. */
typedef struct cst_contact_work {
    double normal, friction;
} cst_contact_work;

/* Computes the velocity and the case (stick, slide, take-off) of each contact after the last solve, and the works of all
 * contacts. When cst_contacts_result is called, the bodies must still be at the positions of the last linearisation. The
 * argument `resolved` is the tangential velocity (m/s) below which a contact counts as sticking. Returns false if memory ran
 * out. */
bool cst_contacts_result(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities, double resolved,
                         int threads, cst_arena *arena, cst_contact_set *set, cst_contact_work *work);

/* Returns the largest relative displacement in the step of the two surfaces at any contact, in contact radii. The relative
 * motion of a contact is dt times its mean velocity in the theta scheme. */
double cst_contacts_relative_motion(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                    int threads, const cst_contact_set *set);

#endif
