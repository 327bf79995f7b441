/* One sweep for reduced and nodal bodies together.
 *
 * Reduced bodies are dual: their state follows the impulses through half solves. Nodal bodies are primal: a node's velocity
 * is solved given its neighbours and the impulses at it. A contact touches a patch S of nodes (none, one, or the few of its
 * barycentric weights) and up to two reduced bodies; at its visit
 *
 *     v_S <- v_S + A_SS^-1 (rhs + H^T r - A v)_S                      the patch comes to rest with all else held
 *     u    = Z^T y + H_S v_S + u_f,   W_loc = Z^T Z + H_S A_SS^-1 H_S^T
 *     r   <- local(W_loc, u - W_loc r),   y, v_S and the nodal impulses follow
 *
 * so one local solver serves every kind of body. Nodes that no contact touches are relaxed in the same sweep. At a fixed
 * point the law holds at every contact and momentum at every node, whatever the patches were. */
#ifndef CST_FRICTION_MIXED_SWEEP_H
#define CST_FRICTION_MIXED_SWEEP_H

#include "friction/bodies.h"

/* r (contacts x dim): first guess in, best answer out. v (dofs) out. Fills the report but for its residual; status as
 * believed here: SOLVED, TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. Nodal bodies are
 * left out of `bodies`, the others are factored. compliance (contacts) out: for the judge (friction/body_audit.h). */
void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report);

#endif
