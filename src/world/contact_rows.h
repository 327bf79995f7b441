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
 *                 floor = max(floor, -e u_N^-)
 * In an iterated step the gap at the guess is taken back to the start with the motion of the guess: gap - dt u_N,theta. */
#ifndef CST_WORLD_CONTACT_ROWS_H
#define CST_WORLD_CONTACT_ROWS_H

#include "world/attempt.h"

/* attempt->row of all contacts, with the bodies placed where they were linearised (`guess`: at attempt->v). when: the time that
 * obstacles were placed at. False: out of memory. */
bool cst_contact_rows_make(cst_attempt *attempt, bool guess, double when);

/* H x of one contact, x (dofs of all): what bodies contribute to the relative velocity, without drift. */
void cst_contact_row_velocity(const cst_attempt *attempt, const cst_contact_row *row, const double *x, double *out);

/* f += H^T r */
void cst_contact_row_impulse(const cst_attempt *attempt, const cst_contact_row *row, const double *r, double *f);

#endif
