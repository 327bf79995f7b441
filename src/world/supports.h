/* Contacts that nothing can move: what touches there is a support.
 *
 * Where constraints hold a body at the place of a contact (a wheel pinned at its hub that touches the ground, a rod that lies on the
 * ground at its pin), its normal has no compliance: with n the normal row of H, A the matrix of the body and A_c that of the body with its
 * constraints
 *
 *     n A_c^-1 n^T <= RIGID n A^-1 n^T.
 *
 * No impulse changes the normal velocity there, and what the gap asks for, a recovery of penetration or the last digit of a gap, cannot be
 * given: friction would call the step infeasible. If neither side can move the contact is left out: the constraint carries the load. If
 * one can, the contact stays, and the other is a rigid support of it.
 *
 * A normal row n on dofs that no constraint acts on has compliance, and nothing is solved for it: n A_c^-1 n^T is the largest value of
 * 2 n x - x^T A x among all x that the constraints leave free, and n^T itself, scaled, is one of these. Without this rule a rod of 256
 * elements that is let down by a clamp (scenes/fibers/self_stacking.json) spends two fifths of its step on these solves. */
#ifndef CST_WORLD_SUPPORTS_H
#define CST_WORLD_SUPPORTS_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* After the groups were assembled and the rows made. False: out of memory. */
bool cst_supports_drop(const cst_dynamics *dynamics, cst_arena *arena, cst_contact_set *set);

#endif
