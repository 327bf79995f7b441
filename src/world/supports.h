/* Supports: contacts at places that cannot move.
 *
 * If constraints hold a body at the place of a contact (a wheel pinned at its hub that touches the ground, a rod on the ground at
 * its pin), the normal of the contact has no compliance. With n the normal row of H, A the matrix of the body and A_c the
 * matrix of the body with its constraints, the normal has no compliance if:
 *
 *     n A_c^-1 n^T <= RIGID n A^-1 n^T.
 *
 * No impulse changes the normal velocity of a contact without compliance. The gap of such a contact may require a small
 * velocity (recovery from penetration, or rounding of the gap) that is impossible, and the friction solver would report that
 * there is no solution. If neither side can move, the contact is dropped: the constraint carries the load. If one side can
 * move, the contact stays, and the other side is a rigid support.
 *
 * If constraints act on none of the dofs of a normal row n, its compliance is positive and need not be computed. The compliance
 * is positive because n A_c^-1 n^T is the maximum of 2 n x - x^T A x over all motions x that the constraints allow, and a
 * multiple of n^T is such a motion. If rows on dofs without constraints were solved too, a rod of 256 elements that is lowered
 * by a clamp (scenes/fibers/self_stacking.json) would spend two fifths of its step on solves for supports. */
#ifndef CST_WORLD_SUPPORTS_H
#define CST_WORLD_SUPPORTS_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Drops contacts whose two sides have no compliance along the normal. Call this function after the groups are assembled and the
 * rows made. Returns false if memory ran out. */
bool cst_supports_drop(const cst_dynamics *dynamics, cst_arena *arena, cst_contact_set *set);

#endif
