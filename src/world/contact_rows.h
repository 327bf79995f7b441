/* Jacobian rows of contacts, and the lower bound of the normal velocity that follows from gaps, restitution and recovery from
 * penetration.
 *
 * The contact velocity of the friction law is linear in the velocities of the bodies:
 *
 *     `u = H*v + u_f`.
 *     `H = D*(J-hat(arm)*J_turn)`.
 *     `arm = -radius*e`.
 *     `u_f = D*(drift_a-drift_b-v_obstacle) - (floor,0)`.
 *     `u`: contact velocity of the friction law, in the contact frame.
 *     `v`: generalised velocities of the bodies at the end of the step.
 *     `H`: contact Jacobian of the first body; the contact Jacobian of the second body has the opposite sign.
 *     `D`: contact frame, a matrix whose rows are the normal and two tangents.
 *     `e`: contact normal, which points to the first body.
 *     `J`, `J_turn`: Jacobians of the velocity and of the angular velocity of the touching material point.
 *     `arm`: vector from the material point on the centreline of the first body to its surface.
 *     `drift_a`, `drift_b`: velocities that prescribed motions impose on the touching points of the first and of the second
 *     body.
 *     `v_obstacle`: velocity of the obstacle at the contact.
 *     `floor`: lower bound of the normal velocity at the end of the step.
 *
 * The lower bound of the normal velocity depends on the gap and on the impact:
 *     * If the gap is positive, the lower bound of the normal velocity is -gap / dt: the gap can close but not become negative.
 *     * If the gap is zero or negative, the lower bound of the normal velocity is `stabilisation` times |gap| / dt_full, but at
 *       most the recovery speed (dt_full: largest step length, set by the user). `stabilisation` is the fraction of a penetration
 *       that a step of the length dt_full removes. The penetration is divided by dt_full even in a shorter step, so that halving
 *       a step does not push the bodies apart faster.
 *     * If the two bodies collide in this step, the lower bound of the normal velocity is at least the rebound speed. The rebound
 *       speed is the coefficient of restitution times the approach speed -u_N, where u_N is the normal velocity before the
 *       impact. The two bodies count as colliding if their normal velocity u_N at the start of the step is negative beyond
 *       rounding and gap + dt u_N <= 0 (dt: step length). The coefficient of restitution is lowered if the impact would gain
 *       energy (world/restitution.h).
 *
 * In a step that is linearised again at its predicted end, the gaps are computed at the predicted end and extrapolated back to
 * the start of the step with the predicted normal velocity. With theta = 1 (implicit Euler), a repeated linearisation removes the
 * whole penetration in one step, but at most at the recovery speed. The recovery speed does not limit the part of a negative gap
 * that is due to the turning of the normal (turned_gap in contact_rows.c).
 *
 * If a rod rotates by a large angle in one step, the change of its gap to an obstacle differs from dt times the normal velocity.
 * The change of the gap minus dt times the normal velocity is divided by dt and added to the normal velocity (world/rolling.h).
 *
 * In the theta scheme with theta < 1, bodies move with the mean velocity of the step, a weighted mean of the velocities at its
 * start and at its end, and contact impulses do work along this mean velocity. In a repeated linearisation of the theta scheme
 * with theta < 1, the contact frame is built on the mean of the normals at the start and at the end of the step. The mean
 * velocity along the mean normal, times dt, equals the change of the gap up to an error of third order in dt (trapezoidal rule).
 * In the theta scheme with theta < 1, the contact velocity u of the friction law also contains the generalised velocities v_start
 * of the bodies and the true contact velocity u_start at the start of the step:
 *
 *     `u = H*v+(1-theta)/theta*(H*v_start-u_start)+u_f`.
 *     `v_start`: generalised velocities of the bodies at the start of the step.
 *     `u_start`: true contact velocity at the start of the step; a normal velocity of separation counts as zero.
 *
 * In the theta scheme with theta < 1, a contact that sticks at the start and at the end of the step has the mean velocity zero
 * and does no work, even if its normal turns. If two bodies approach each other at the start of the step, the contact stops them
 * at the end of the step, as with theta = 1 (implicit Euler). Because a normal velocity of separation at the start of the step
 * counts as zero, the contact adds no energy. */
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
    double whole_dt;                  /* largest step length dt (s), or time scale of a step to an equilibrium */
    const cst_constraint *constraint; /* (constraints) */
    int constraints;
    const cst_velocities *velocities;
    bool relinearised;   /* true: linearised at velocities->v */
    double depth_before; /* deepest penetration at the start of the step, divided by the smaller radius of the two bodies */
    double when;         /* time (s) of the obstacles' positions */
    int threads;
} cst_row_input;

/* Computes the Jacobian rows of all contacts (set->row). Drops contacts at which neither body can move. If a rolling rod has a
 * contact at its point nearest to an obstacle, drops the rod's contacts beside this point (cst_rolling_beside). Returns false if
 * memory ran out. */
bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set);

/* Computes H x, the product of the Jacobian rows of one contact and the velocities x of the bodies: the velocity of the first
 * surface relative to the second surface, without the velocity of imposed motions. `x`: (dofs of all bodies). */
void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out);

/* Adds the generalised impulse H^T r of a contact, with its Jacobian rows H and its impulse r, to the vector f (dofs of all
 * bodies). */
void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f);

/* Removes the contacts that are marked in the array `dropped` (contacts) from the set; the remaining contacts keep their
 * order. */
void cst_contact_set_drop(const bool *dropped, cst_contact_set *set);

/* In the islands (sets of connected bodies) whose friction problem has no solution, relaxes the contact conditions: restitution
 * is ignored, and a penetration of at most a hundredth of the smaller radius of the two bodies is not removed. Sets the flag
 * `jammed` of the contacts that it changes, and returns their number.
 *
 *     `island`: array (units): for each unit (a body or a group of joined bodies), the first unit of its island, a set of bodies
 *         connected by contacts or constraints.
 *     `stuck`: array (units): true at the first unit (body or group of joined bodies) of an island whose friction problem has no
 *         solution. */
int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set);

#endif
