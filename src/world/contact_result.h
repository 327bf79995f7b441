/* Results of the contacts of a step after the friction solve: velocities, cases (stick, slide, take-off), works and relative
 * displacements. */
#ifndef CST_WORLD_CONTACT_RESULT_H
#define CST_WORLD_CONTACT_RESULT_H

#include "world/contact_set.h"
#include "world/layout.h"
#include "world/velocities.h"

/* Works (J) done by the contacts in a step. */
typedef struct cst_contact_work {
    double normal, friction;
} cst_contact_work;

/* Computes the velocity and the case (stick, slide, take-off) of each contact after the last friction solve, and the works of
 * all contacts. The bodies must still be at the positions of the last linearisation. `resolved`: tangential velocity (m/s)
 * below which a contact counts as sticking. Returns false if memory ran out. */
bool cst_contacts_result(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities, double resolved,
                         int threads, cst_arena *arena, cst_contact_set *set, cst_contact_work *work);

/* Returns the largest relative displacement of the two surfaces of any contact in the step, divided by the smaller radius of the
 * two bodies. The relative displacement is dt times the mean relative velocity in the theta scheme. Contacts of sheets with
 * surfaces, and contacts of two sharp edges, are left out of the largest relative displacement. */
double cst_contacts_relative_motion(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                    int threads, const cst_contact_set *set);

#endif
