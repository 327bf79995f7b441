/* Supports: finds and drops contacts at points that cannot move.
 *
 * If constraints hold a body at the point of a contact, the contact normal has no compliance. Examples of contacts without
 * compliance are a wheel pinned at its hub that touches the ground, and a rod that lies on the ground at its pin. The contact
 * normal counts as having no compliance if its compliance with the constraints is at most a small fraction (RIGID) of its
 * compliance without constraints.
 *
 * No impulse changes the normal velocity of a contact without compliance. If recovery from penetration, or rounding of the gap,
 * requires a small normal velocity of a contact without compliance, the friction problem has no solution. If constraints leave
 * neither of the two bodies any compliance along the contact normal, the contact is dropped, because the constraints carry the
 * load. If only one of the two bodies has compliance along the contact normal, the contact stays, and the other body is a rigid
 * support.
 *
 * If no constraint acts on a dof that has a nonzero entry in the normal row of the contact Jacobian, the compliance along the
 * normal is positive and need not be computed. With the normal row n of the contact Jacobian and the matrix A of the body, the
 * compliance along the contact normal is the maximum of 2 n x - x^T A x over all motions x that the constraints allow. The
 * compliance along the contact normal is positive if the constraints allow a small motion along n^T, the transposed normal row
 * of the contact Jacobian. Computing the compliance for all contacts would be expensive: a rod of 256 elements that is lowered
 * by a clamp (scenes/fibers/self_stacking.json) would spend two fifths of the time of a step on it. */
#ifndef CST_WORLD_SUPPORTS_H
#define CST_WORLD_SUPPORTS_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Drops contacts at which neither of the two bodies has compliance along the normal. Call cst_supports_drop after the groups
 * of joined bodies are assembled and the contact rows are computed. Returns false if memory ran out. */
bool cst_supports_drop(const cst_dynamics *dynamics, cst_arena *arena, cst_contact_set *set);

#endif
