/* Proximal Newton method (friction/proximal_newton.h) on the active contacts of cloth, with an assembled Delassus matrix W.
 * Symbols:
 *     `H_i`: Jacobian of contact i.
 *     `A`: matrix of the cloth nodes.
 *
 * The matrix W has one block for each pair of active contacts:
 *
 *     `W_ij = H_i*A^-1*H_j^T`.
 *
 * A contact is active if it is bilateral, has an impulse, or has a negative normal velocity (its bodies approach each other). The
 * impulses of all inactive contacts are zero. If an inactive contact has a negative normal velocity in the solution, the contact
 * becomes active, and Newton's method runs again.
 *
 * The alternative to Newton's method on the active contacts is Newton's method on the node velocities (friction/nodal_system.h).
 * If the contacts are scattered over the folds of a cloth, Newton's matrix for the node velocities is nearly full, whether the
 * contacts are open, stick or slide. With an assembled Delassus matrix, an open contact has no unknowns, and a sliding contact
 * has two (friction/newton_system.h). In scenes/cloth/box_and_cone.json at 0.4 s, half of the 430 contacts are open and nearly
 * all others slide, so Newton's linear system has 440 unknowns instead of 1,290 (three per contact). */
#ifndef CST_FRICTION_NODAL_ACTIVE_H
#define CST_FRICTION_NODAL_ACTIVE_H

#include "friction/accelerate.h"
#include "friction/method.h"
#include "friction/mixed_state.h"

/* Returns true if Newton's method on the active contacts, with their assembled Delassus matrix, is expected to be cheaper than
 * Newton's method on the node velocities. The Delassus matrix can be assembled only if the caller provides Cholesky factors of
 * all cloth, and if all contacts act only on cloth and obstacles. The function cst_nodal_active_pays returns false if Newton's
 * method on the node velocities would keep the nodes without contacts as unknowns (friction/nodal_condense.h). If the nodes
 * without contacts remain unknowns, Newton's matrix for the node velocities is sparse and cheap to factorise. Let N be the number
 * of nodes that have both a contact and a neighbour without contacts. The function cst_nodal_active_pays returns true only if N
 * is at least CST_RIM_LEAST and at least the number of contacts with an impulse. */
bool cst_nodal_active_pays(const cst_mixed *mixed);

/* Returns true if the Delassus matrix of the active contacts can be assembled, and the number of contacts is at most twice
 * CST_RIM_LEAST. */
bool cst_nodal_active_is_small(const cst_mixed *mixed);

/* Solves for the impulses mixed->r, from their values on input, and computes the node velocities mixed->v. `warm`: as in
 * cst_nodal_newton_run. `acceleration`: settings of the accelerated Gauss-Seidel sweeps (friction/accelerate.h) that replace
 * Newton's method, or NULL. The function cst_nodal_active_run ends without a solution if too many contacts become active.
 * arena->failed is set if memory ran out. */
cst_accelerated_result cst_nodal_active_run(cst_mixed *mixed, const cst_method_settings *settings, bool warm, int threads,
                                            const cst_acceleration *acceleration, cst_arena *arena);

#endif
