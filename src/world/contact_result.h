/* What the solved contacts did in the step: velocities, cases, works, motion. */
#ifndef CST_WORLD_CONTACT_RESULT_H
#define CST_WORLD_CONTACT_RESULT_H

#include "world/contact_set.h"
#include "world/layout.h"
#include "world/velocities.h"

/* Works of the step by its contacts. */
typedef struct cst_contact_work {
    double normal, friction;
} cst_contact_work;

/* Velocity and case of each contact after the last solve, bodies still placed where they were linearised, and the works of all.
 * resolved: tangential velocities below it count as sticking. False: out of memory. */
bool cst_contacts_result(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities, double resolved,
                         int threads, cst_arena *arena, cst_contact_set *set, cst_contact_work *work);

/* Largest motion at a contact, theta velocity times dt, in contact radii. */
double cst_contacts_relative_motion(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                    int threads, const cst_contact_set *set);

#endif
