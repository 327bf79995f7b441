/* Drops contacts at which constraints block all motion along the contact normal.
 *
 * If constraints hold a body at a contact point, the body has no compliance along the contact normal: no impulse changes its
 * normal velocity there. Examples of contacts without compliance: a wheel that is pinned at its hub and touches the ground; a rod
 * that touches the ground at the point where it is pinned. If neither body has compliance along the contact normal, the contact
 * is dropped, because the friction problem could otherwise have no solution. Recovery from penetration, or rounding of the gap,
 * would require a small normal velocity that no impulse can produce. If only one body has compliance along the contact normal,
 * the contact stays, and the body without compliance is a rigid support.
 *
 * The compliance along the contact normal is positive, and need not be computed, if no constraint acts on any dof that moves the
 * contact point along the normal. Computing the compliance for all contacts would take two fifths of the time of a step for a rod
 * of 256 elements that is lowered by a clamp (scenes/fibers/self_stacking.json). */
#ifndef CST_WORLD_SUPPORTS_H
#define CST_WORLD_SUPPORTS_H

#include "world/contact_set.h"
#include "world/dynamics.h"

/* Call cst_supports_drop after the groups of joined bodies are assembled and the contact rows are computed. Returns false if
 * memory ran out. */
bool cst_supports_drop(const cst_dynamics *dynamics, cst_arena *arena, cst_contact_set *set);

#endif
