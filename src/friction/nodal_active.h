/* Proximal Newton method (friction/proximal_newton.h) on the active contacts of cloth, with an assembled Delassus matrix.
 * Symbols:
 *     `H_i`: Jacobian of contact i on the cloth nodes.
 *     `A`: matrix of the cloth nodes.
 *     `W_ij`: block of the Delassus matrix.
 *
 * The matrix W has one block for each pair of active contacts:
 *
 *     `W_ij = H_i*A^-1*H_j^T`.
 *
 * A contact is active if it has an impulse, approaches or is bilateral. All other contacts have zero impulses. If inactive
 * contacts approach in the answer of Newton's method, they become active and Newton's method runs again.
 *
 * The alternative is Newton's method on the node velocities (friction/nodal_system.h). Its matrix is nearly full if the contacts
 * are scattered over the folds of a cloth, and it is equally large for open, sticking and sliding contacts. With an assembled
 * Delassus matrix, an open contact has no unknowns, and a sliding contact has two (friction/newton_system.h). For a cloth on a
 * box and a cone (scenes/cloth/box_and_cone.json at 0.4 s), Newton's linear system shrinks from 1,290 to 440 unknowns: half of
 * the 430 contacts are open, and nearly all others slide. */
#ifndef CST_FRICTION_NODAL_ACTIVE_H
#define CST_FRICTION_NODAL_ACTIVE_H

#include "friction/accelerate.h"
#include "friction/method.h"
#include "friction/mixed_state.h"

/* Returns true if the Delassus matrix of the active contacts can be assembled, and is cheaper than Newton's method on the node
 * velocities. The assembly needs Cholesky factors of all cloth, and contacts that act only on cloth and fixed obstacles. The
 * Delassus matrix counts as cheaper if three conditions hold. First, Newton's method on the node velocities would eliminate the
 * nodes without contacts (friction/nodal_condense.h). Second, at least CST_RIM_LEAST nodes have a contact and a neighbour without
 * contacts (friction/condense_limits.h). Third, at most as many contacts have an impulse. */
bool cst_nodal_active_pays(const cst_mixed *mixed);

/* Returns true if the Delassus matrix of the active contacts can be assembled, and there are at most 2 CST_RIM_LEAST contacts. */
bool cst_nodal_active_is_small(const cst_mixed *mixed);

/* Computes the impulses of all contacts from the initial guess mixed->r. The function stores the best impulses in mixed->r and
 * the node velocities in mixed->v. `warm`: as in cst_nodal_newton_run. `acceleration`: settings of accelerated Gauss-Seidel
 * sweeps (friction/accelerate.h), which then replace Newton's method; NULL for Newton's method. The function gives up if the
 * Delassus matrix of the active contacts becomes too large. arena->failed is set if memory ran out. */
cst_method_result cst_nodal_active_run(cst_mixed *mixed, const cst_method_settings *settings, bool warm, int threads,
                                       const cst_acceleration *acceleration, cst_arena *arena);

#endif
