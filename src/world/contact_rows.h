/* Rows of contacts: surface kinematics, and the rule for gaps, restitution and recovery from penetration.
 *
 *     v_surface = v + omega x arm,     H = D (J - hat(arm) J_turn),     arm_a = -radius_a e,   D the contact's frame
 *     u_f = D (drift_a - drift_b - v_obstacle) - (floor, 0).
 *
 * The contact law requires u_N >= floor for the normal velocity u_N at the end of the step, where the lower bound `floor` is:
 *     * gap > 0: floor = -gap / dt, so that the gap may close, but not become negative.
 *     * gap <= 0: floor = min(stabilisation |gap| / dt, recovery speed), with dt the longest step, so that a halved step
 *       does not push harder.
 *     * A contact with restitution e > 0 that strikes in this step (u_N^- < 0 and gap + dt u_N^- <= 0):
 *       floor = max(floor, -e u_N^-), with e lowered if the impact would gain energy (world/restitution.h).
 * When a contact is relinearised, its gap at the guessed end is extrapolated back to the start of the step with the normal
 * velocity of the guess: gap - dt u_N,theta. Between two fibers that slide over each other, the extrapolated gap may be
 * negative although nothing penetrates at the start, because the normal turns in the step. The part of a negative gap that is
 * due to the turning of the normal adds to `floor` as |gap| / dt, without the limit of the recovery speed.
 *
 * If a contact of a fast-turning rod is linearised at the start of the step, the rise of its point due to the rotation is added
 * to u_N (world/rolling.h). Contacts beside the nearest point of a fast-turning rod are dropped (world/rolling.h).
 *
 * With theta < 1, bodies move by v_theta, and impulses do work along v_theta. The frame D of a relinearised contact is made of
 * the mean of the normals at the start and at the end of the step. With this mean normal e, the change of the gap is dt e .
 * v_theta with an error of third order in dt, by the trapezoidal rule. The impulse on a corner acts at the position that the
 * corner has when the forces of the step act, between start and end. The velocity in the friction law is
 *
 *     u = H v+ + (1 - theta)/theta (H v - u_start) - (floor, 0),
 *     u_start = H_start v at the start (tangential),  min(H_start v, 0) (normal).
 *
 * A contact that sticks at the start and at the end of the step (u_start = 0, u = 0) has H v_theta = 0 and does no work,
 * however H turns in the step. If the sides of a contact approach at the start, the contact stops them at the end of the step
 * as with theta = 1. If the sides of a contact separate at the start, the term u_start is zero in the normal direction, so the
 * contact adds no energy. */
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
    /* factor on the restitution of all contacts in this attempt at the step (world/restitution.h) */
    double restitution;
    double whole_dt;                  /* the longest step */
    const cst_constraint *constraint; /* (constraints) */
    int constraints;
    const cst_velocities *velocities;
    bool relinearised;   /* true: bodies are linearised at velocities->v; false: at the start of the step */
    double depth_before; /* deepest penetration at the start of the step, in contact radii */
    double when;         /* time at which the obstacles were placed */
    int threads;
} cst_row_input;

/* Makes set->row of all contacts. Drops contacts whose two sides cannot move, and contacts beside the nearest point of a
 * rolling rod. Returns false if memory ran out. */
bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set);

/* Computes H x for one contact: the relative velocity of its sides due to the velocities x of the bodies, without imposed
 * motions. `x`: (dofs of all bodies). */
void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out);

/* f += H^T r */
void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f);

/* Removes the contacts marked in `dropped` (contacts) from the set; the other contacts keep their order. */
void cst_contact_set_drop(const bool *dropped, cst_contact_set *set);

/* Removes recovery and restitution from contacts in islands without a friction solution, and marks these contacts as jammed. Only
 * contacts with a penetration of at most a hundredth of their radius lose their recovery. `island`, `stuck`: per unit. Returns
 * the number of contacts that were changed. */
int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set);

#endif
