/* Jacobian rows of contacts, computed from the motion of the touching surfaces, and the rule for gaps, restitution and
 * recovery from penetration.
 *
 * Let v and omega be the velocity and the angular velocity of the touching material point of a body, and J and J_turn their
 * Jacobians. Let arm be the vector from the material point to the surface, e the contact normal and D the contact's frame. Let
 * v_obstacle be the velocity of the obstacle in a contact with an obstacle, and `drift` the velocities that prescribed motions
 * impose on the touching bodies. The velocity v_surface of a surface, the contact Jacobian H and the offset u_f of the contact
 * velocity are:
 *
 *     `v_surface = v + cross(omega,arm)`. `H = D*(J - hat(arm)*J_turn)`.
 *     `arm_a = -radius_a*e`.
 *     `u_f = D*(drift_a-drift_b-v_obstacle) - (floor, 0)`.
 *
 * The contact velocity of the friction law is the product of the contact Jacobian H with the velocities of the bodies, plus an
 * offset u_f. The contact law requires that the normal velocity at the end of the step is at least the lower bound `floor`,
 * which depends on the gap and on the impact:
 *     * If the gap is positive, the lower bound of the normal velocity is -gap / dt, so that the gap can close but cannot
 *       become negative.
 *     * If the gap is zero or negative, the lower bound of the normal velocity is `stabilisation` times |gap| / dt, but at most
 *       the recovery speed; `stabilisation` is the fraction of a penetration that one step may remove. For a penetrating contact,
 *       dt in the lower bound of the normal velocity is the length of the longest step, so that a halved step does not push the
 *       bodies apart faster.
 *     * If a contact with the coefficient of restitution e > 0 strikes in this step, the lower bound of the normal velocity is
 *       at least -e u_N^-, where u_N^- is the normal velocity before the impact. A contact strikes (has an impact) in the step
 *       if its normal velocity u_N^- before the impact is negative and gap + dt u_N^- <= 0. The coefficient of restitution is
 *       lowered if the impact would gain energy (world/restitution.h).
 *
 * If a step is linearised again at its predicted end, the gaps are computed there, and each gap is extrapolated back to the
 * start of the step with the predicted normal velocity. Between two fibers that slide over each other, the extrapolated gap can
 * be negative although nothing penetrates at the start, because the normal turns in the step. The part of a negative gap that
 * is due to the turning of the normal is removed within one step; the limit of the recovery speed does not apply to it.
 *
 * If a contact of a fast-turning rod is linearised at the start of the step, its normal velocity gets an additional term, because
 * the rotation lifts the contact point (world/rolling.h). Contacts of a fast-turning rod that are not at the point of the rod
 * nearest to the obstacle are dropped.
 *
 * In the theta scheme with theta < 1, bodies move by the mean velocity of the step, and impulses do work along this mean
 * velocity. If a contact is linearised again at the predicted end of the step, its frame is built on the mean of its normals at
 * the start and at the end of the step. The mean velocity of the step along the mean normal, times dt, equals the change of the
 * gap in the step up to an error of third order in dt (trapezoidal rule). In the theta scheme, the impulse on a sharp corner of
 * a body acts at a position of the corner between its start and end positions. Let v and v+ be the velocities of the bodies
 * before and after the step. With the contact Jacobian H of the present linearisation and the contact Jacobian H_start at the
 * start of the step, the contact velocity u of the friction law is:
 *
 *     `u_start = H_start*v`. `u = H*v+ + (1-theta)/theta*(H*v-u_start)-(floor,0)`.
 *
 * A contact that sticks at the start and at the end of the step has the mean velocity 0 and does no work, even if its normal
 * turns in the step. If the two bodies of a contact approach each other at the start of the step, the contact stops them at the
 * end of the step, as with implicit Euler (theta = 1). If the two bodies of a contact separate at the start of the step, their
 * normal velocity at the start counts as zero, so that the contact adds no energy. */
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
    /* factor on the coefficients of restitution of all contacts (world/restitution.h) */
    double restitution;
    double whole_dt;                  /* the longest step */
    const cst_constraint *constraint; /* (constraints) */
    int constraints;
    const cst_velocities *velocities;
    bool relinearised;   /* relinearised at velocities->v */
    double depth_before; /* deepest initial penetration, in contact radii */
    double when;         /* time (s) of the obstacles' positions */
    int threads;
} cst_row_input;

/* Computes the Jacobian rows of all contacts (set->row). Drops contacts at which neither body can move, and contacts of a
 * rolling rod that are not at the point of the rod nearest to the obstacle. Returns false if memory ran out. */
bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set);

/* Computes H x for the rows H of one contact: the relative velocity of the two touching bodies if all bodies have the
 * velocities x, without imposed motions. `x`: (dofs of all bodies). */
void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out);

/* f += H^T r */
void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f);

/* Removes the contacts that are marked in the array `dropped` (contacts) from the set; the other contacts keep their order. */
void cst_contact_set_drop(const bool *dropped, cst_contact_set *set);

/* In islands (groups of connected bodies) whose friction problem has no solution, sets the recovery from penetration and the
 * restitution of contacts to zero. A contact that penetrates by more than a hundredth of the contact radius keeps its recovery
 * from penetration. The contacts that the function changes are marked as jammed. `island`, `stuck`: per unit. Returns the
 * number of changed contacts. */
int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set);

#endif
