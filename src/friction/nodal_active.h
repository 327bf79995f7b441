/* Proximal Newton method (friction/proximal_newton.h) on the active contacts of sheets (contacts that have an impulse or
 * approach), with an explicit Delassus matrix.
 *
 *     `W_ij = H_i*A^-1*H_j^T`.
 *
 * The explicit Delassus matrix W has a block W_ij for each pair of active contacts i and j, with their Jacobians H_i and H_j on
 * the cloth nodes and the matrix A of the nodes. A contact is active if it has an impulse or if it approaches. Contacts that are
 * not active have zero impulses. If inactive contacts approach in the answer of Newton's method, they become active, and Newton's
 * method starts again. In the final answer of Newton's method, inactive contacts also satisfy the Coulomb law.
 *
 * If the node velocities are the unknowns (friction/nodal_system.h), the cost of a factorisation does not depend on whether
 * contacts are open, stick or slide. If the contacts are scattered over the folds of a cloth, the Schur complement of the cloth's
 * matrix on the nodes with contacts is nearly full. With an explicit Delassus matrix, an open contact has no unknowns, and a
 * sliding contact has two (friction/newton_system.h). For a cloth on a box and a cone (scenes/cloth/box_and_cone.json at 0.4 s),
 * the explicit Delassus matrix reduces Newton's linear system from 1,290 to 440 unknowns, because half of the 430 contacts are
 * open and nearly all others slide. */
#ifndef CST_FRICTION_NODAL_ACTIVE_H
#define CST_FRICTION_NODAL_ACTIVE_H

#include "friction/accelerate.h"
#include "friction/method.h"
#include "friction/mixed_state.h"

/* Returns true if an explicit Delassus matrix is possible, and is cheaper than node velocities as unknowns of Newton's method
 * (friction/nodal_system.h). The explicit Delassus matrix needs the factorised matrices of all cloth, and no contact may act on a
 * moving body that is not cloth. The explicit Delassus matrix counts as cheaper under two conditions: the nodes without contacts
 * would otherwise be eliminated (friction/nodal_condense.h), and many nodes with contacts have a neighbour without contacts
 * (friction/condense_limits.h). The explicit Delassus matrix is used only if the contacts with an impulse are at most as many as
 * the nodes that have a contact and a neighbour without contacts. */
bool cst_nodal_active_pays(const cst_mixed *mixed);

/* Returns true if an explicit Delassus matrix is possible (cst_nodal_active_pays) and cheap, because there are at most 300
 * contacts (2 CST_RIM_LEAST). */
bool cst_nodal_active_is_small(const cst_mixed *mixed);

/* The impulses in mixed->r are the initial guess; the function replaces them by the best impulses found, and writes the resulting
 * velocities to mixed->v. `warm`: as in cst_nodal_newton_run. The method gives up if too many contacts become active, because the
 * explicit Delassus matrix would be too large. `acceleration`: settings of the accelerated Gauss-Seidel solver
 * (friction/accelerate.h), if it replaces the proximal Newton method on the active contacts; otherwise NULL. The flag
 * arena->failed is set if memory ran out. */
cst_method_result cst_nodal_active_run(cst_mixed *mixed, const cst_method_settings *settings, bool warm, int threads,
                                       const cst_acceleration *acceleration, cst_arena *arena);

#endif
