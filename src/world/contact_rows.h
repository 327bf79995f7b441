/* Rows of contacts: surface kinematics, and the one rule of the gap, of restitution and of recovery.
 *
 *     v_surface = v + omega x arm,     H = D (J - hat(arm) J_turn),     arm_a = -radius_a e,   D the contact's frame
 *     u_f = D (drift_a - drift_b - v_obstacle) - (floor, 0)
 *
 * The law is on u_N - floor >= 0:
 *     gap > 0     floor = -gap / dt: it may close, no more
 *     gap <= 0    floor = min(stabilisation |gap| / dt, recovery speed), dt the largest step: a step that was halved because
 *                 something is wrong must not push the harder for it
 *     restitution e > 0, approaching (u_N^- < 0) and gap + dt u_N^- <= 0, so that it strikes in this step:
 *                 floor = max(floor, -e u_N^-), e lowered where that would gain energy (world/restitution.h)
 * Relinearised, the gap at the guess is taken back to the start with the motion of the guess: gap - dt u_N,theta.
 *
 * Linearised at the start, u_N of a point of a rod that turns fast has its rise added, and points beside it are left out (world/rolling.h).
 *
 * theta < 1: bodies move by v_theta, and impulses work along it. The frame D of a relinearised contact is made of the mean of its normals at the start
 * and at the end (the gap changes by dt e . v_theta to third order: the trapezoidal rule), corners are taken where they are within the
 * step, and the law sees
 *
 *     u = H v+ + (1 - theta)/theta (H v - u_start) - (floor, 0),      u_start = H_start v at the start (tangential),  min(H_start v, 0) (normal)
 *
 * A contact that lasts and sticks, u_start = 0, has H v_theta = 0 and works nothing, however H turns; what approaches at the start is stopped by
 * the end as with theta = 1; what parts at the start gains nothing from the impulse that ends it. */
#ifndef CST_WORLD_CONTACT_ROWS_H
#define CST_WORLD_CONTACT_ROWS_H

#include "world/constraint.h"
#include "world/contact_set.h"
#include "world/layout.h"
#include "world/objects.h"
#include "world/velocities.h"

typedef struct cst_row_input {
    const cst_objects *objects;
    const cst_layout *layout;
    const cst_step_frame *frame;
    const cst_contact_rules *rules;
    double restitution;               /* share of it that contacts have in this attempt at the step (world/restitution.h) */
    double whole_dt;                  /* the longest step */
    const cst_constraint *constraint; /* (constraints) */
    int constraints;
    const cst_velocities *velocities;
    bool relinearised; /* bodies were linearised at velocities->v, and are placed there; otherwise at the start of the step */
    double when;       /* the time that obstacles were placed at */
    int threads;
} cst_row_input;

/* set->row of all contacts. Contacts that nothing can move are dropped, and those beside the nearest point of a rod that rolls. False: out of memory. */
bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set);

/* H x of one contact, x (dofs of all): what bodies contribute to the relative velocity, without drift. */
void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out);

/* f += H^T r */
void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f);

/* dropped (contacts): those that leave the set; the others keep their order. */
void cst_contact_set_drop(const bool *dropped, cst_contact_set *set);

/* Of the islands that are stuck (island, stuck: by units): no recovery for contacts that are to come out of a penetration of no more than a hundredth of their radius, and
 * no restitution: they are marked as jammed, their floors are lowered. Returns how many. */
int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set);

#endif
