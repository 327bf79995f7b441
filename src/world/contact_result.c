#include "world/contact_result.h"

#include <math.h>

#include "base/threads.h"
#include "math/vector3.h"
#include "world/contact_rows.h"

enum { PARALLEL_CONTACTS = 128 };

/* ON_THE_CONE: a contact is on the friction cone if its tangential impulse is at least (1 - ON_THE_CONE) times the friction limit
 * (friction coefficient times normal impulse). */
static const double ON_THE_CONE = 1e-6;

/* A contact counts as sliding if its impulse is on the friction cone and its tangential velocity exceeds `resolved`, the smallest
 * velocity (m/s) that the friction solver resolves. For example, a rope that hangs at rest over a post counts as sticking, even
 * where the friction force has reached the friction limit. */
static cst_local_case case_of(const cst_contact *contact, double resolved)
{
    if (!(contact->r[0] > 0.0))
        return CST_CASE_TAKE_OFF;
    const bool on_the_cone = hypot(contact->r[1], contact->r[2]) >= (1.0 - ON_THE_CONE) * contact->mu * contact->r[0];
    return on_the_cone && hypot(contact->u[1], contact->u[2]) > resolved ? CST_CASE_SLIDE : CST_CASE_STICK;
}

/* Computes the velocity (m/s) of the first surface of a contact relative to the second surface, averaged over the step by the
 * theta scheme. For a contact with an obstacle, the velocity of the obstacle is not subtracted: the work of a contact counts only
 * the work done on bodies. */
static void theta_velocity(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                           const cst_contact_row *row, double *out)
{
    const double theta = frame->theta;
    double after[3], before[3];
    cst_contact_row_velocity(frame->dim, layout, row, velocities->v, after);
    cst_contact_row_velocity(frame->dim, layout, row, velocities->before, before);
    for (int c = 0; c < 3; c++)
        out[c] = theta * (after[c] + row->drift[c]) + (1.0 - theta) * (before[c] + row->drift_before[c]);
}

/* Computes the velocity and the case (stick, slide or take-off) of one contact; returns the works done by the contact impulse. */
static cst_contact_work result_of(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                  double resolved, const cst_contact_row *row, cst_contact *contact)
{
    double during[3], after[3];
    theta_velocity(frame, layout, velocities, row, during);
    cst_contact_row_velocity(frame->dim, layout, row, velocities->v, after);
    for (int c = 0; c < 3; c++)
        after[c] += row->drift[c] + row->bent_way[c] - row->moved[c];
    cst_apply_transposed3(contact->frame, after, contact->velocity);
    contact->contact_case = case_of(contact, resolved);
    return (cst_contact_work){.normal = contact->r[0] * during[0],
                              .friction = contact->r[1] * during[1] + contact->r[2] * during[2]};
}

bool cst_contacts_result(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities, double resolved,
                         int threads, cst_arena *arena, cst_contact_set *set, cst_contact_work *work)
{
    const int n = set->contacts, used = cst_threads_for(threads, n, PARALLEL_CONTACTS);
    (void)used; /* unused in a build without OpenMP */
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_contact_work *of = CST_TAKE_RAW(arena, cst_contact_work, n);
    if (arena->failed)
        return false;
#pragma omp parallel for schedule(static) num_threads(used)
    for (int i = 0; i < n; i++)
        of[i] = result_of(frame, layout, velocities, resolved, set->row + i, set->contact + i);
    *work = (cst_contact_work){0};
    for (int i = 0; i < n; i++) { /* fixed order of summation */
        work->normal += of[i].normal;
        work->friction += of[i].friction;
    }
    cst_arena_release(arena, mark);
    return true;
}

double cst_contacts_relative_motion(const cst_step_frame *frame, const cst_layout *layout, const cst_velocities *velocities,
                                    int threads, const cst_contact_set *set)
{
    const int used = cst_threads_for(threads, set->contacts, PARALLEL_CONTACTS);
    (void)used; /* unused in a build without OpenMP */
    double largest = 0.0;
#pragma omp parallel for schedule(static) num_threads(used) reduction(max : largest)
    for (int i = 0; i < set->contacts; i++) {
        const cst_contact_row *row = set->row + i;
        const double radius = set->contact[i].soft ? 0.0 : cst_contact_radius(set->contact + i);
        double u[3];
        theta_velocity(frame, layout, velocities, row, u);
        cst_add3(-1.0, row->moved, u);
        if (radius > 0.0)
            largest = fmax(largest, frame->dt * sqrt(cst_dot3(u, u)) / radius);
    }
    return largest;
}
