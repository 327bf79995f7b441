/* Jacobian rows of contacts: surface kinematics, and the rule for gaps, restitution and recovery from penetration.
 *
 *     The velocity of a surface point is v_surface = v + omega x arm, where `arm` leads from the material point to the surface.
 *     The rows of a contact are H = D (J - hat(arm) J_turn), with the contact's frame D and the Jacobians J, J_turn of the point.
 *     The arm of side a is arm_a = -radius_a e, with the contact normal e.
 *     The offset of the contact velocity is u_f = D (drift_a - drift_b - v_obstacle) - (floor, 0), with the imposed velocities
 *     `drift` of the two sides.
 *
 * The contact law requires u_N >= floor for the normal velocity u_N at the end of the step. The lower bound `floor` of the
 * normal velocity depends on the gap and on the impact:
 *     * If the gap is positive, the lower bound is floor = -gap / dt, so that the gap may close, but not become negative.
 *     * If the gap is negative or zero, the lower bound is floor = min(stabilisation |gap| / dt, recovery speed). For a
 *       penetration, dt in the formula for `floor` is the longest step, so that a halved step does not push harder.
 *     * If a contact with the coefficient of restitution e > 0 strikes in this step, the lower bound `floor` is at least -e
 *       u_N^-, where u_N^- is the normal velocity before the impact. A contact strikes in the step if its normal velocity u_N^-
 *       before the impact is negative and gap + dt u_N^- <= 0. The coefficient of restitution e is lowered if the impact would
 *       gain energy (world/restitution.h).
 *
 * The gap of a relinearised contact is found at the guessed end of the step, and is extrapolated back to the start of the step
 * with the normal velocity of the guess. Between two fibers that slide over each other, the extrapolated gap may be negative
 * although nothing penetrates at the start, because the normal turns in the step. The part of a negative gap that is due to the
 * turning of the normal adds |gap| / dt to `floor`, without the limit of the recovery speed.
 *
 * If a contact of a fast-turning rod is linearised at the start of the step, its normal velocity gets an additional term for the
 * rise of the contact point due to the rotation (world/rolling.h). Contacts beside the nearest point of a fast-turning rod are
 * dropped (world/rolling.h).
 *
 * In the theta scheme with theta < 1, bodies move by the mean velocity v_theta of the step, and impulses do work along v_theta.
 * The frame D of a relinearised contact is built on the mean e of its normals at the start and at the end of the step. With
 * this mean normal e, the gap changes in the step by dt e . v_theta, with an error of third order in dt (trapezoidal rule). The
 * impulse on a corner acts at the intermediate position of the corner at which the forces of the step act. The friction law
 * uses these velocities:
 *
 *     `u` = H v+ + (1 - theta)/theta (H v - u_start) - (floor, 0) is the velocity of the contact in the friction law, with the
 *     contact rows H and the velocities v before and v+ after the step.
 *     `u_start` is the velocity of the contact at the start of the step, computed with the rows H_start of that time.
 *     The normal component of u_start counts only if the sides approach: it is min(H_start v, 0).
 *
 * A contact that sticks at the start and at the end of the step (u_start = 0, u = 0) has the mean velocity H v_theta = 0 and
 * does no work, even if its rows H turn in the step. If the sides of a contact approach at the start, the contact stops them at
 * the end of the step as with implicit Euler (theta = 1). If the sides of a contact separate at the start, the normal component
 * of u_start is zero, so the contact adds no energy. */
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
    double when;         /* time at which the obstacles were placed */
    int threads;
} cst_row_input;

/* Computes the Jacobian rows of all contacts (set->row). Drops contacts whose two sides cannot move, and contacts of a rolling
 * rod that are beside its nearest point. Returns false if memory ran out. */
bool cst_contact_rows_make(const cst_row_input *input, cst_arena *arena, cst_contact_set *set);

/* Computes H x for the rows H of one contact: the relative velocity of its two sides if the bodies have the velocities x,
 * without imposed motions. `x`: (dofs of all bodies). */
void cst_contact_row_velocity(int dim, const cst_layout *layout, const cst_contact_row *row, const double *x, double *out);

/* f += H^T r */
void cst_contact_row_impulse(int dim, const cst_layout *layout, const cst_contact_row *row, const double *r, double *f);

/* Removes the contacts marked in `dropped` (contacts) from the set; the other contacts keep their order. */
void cst_contact_set_drop(const bool *dropped, cst_contact_set *set);

/* Sets recovery from penetration and restitution to zero for the contacts in islands whose friction problem has no solution,
 * and marks these contacts as jammed. A contact that penetrates by more than a hundredth of its radius keeps its recovery.
 * `island`, `stuck`: per unit. Returns the number of contacts whose lower bound of the normal velocity has changed. */
int cst_contact_rows_jam(const int32_t *island, const bool *stuck, cst_contact_set *set);

#endif
