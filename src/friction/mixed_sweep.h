/* Gauss-Seidel sweep over reduced and nodal bodies together.
 *
 * Reduced bodies are treated by their impulses: half solves (friction/half.h) give their state from the impulses. Nodal bodies
 * are treated by their velocities: the velocity of a node is computed from its neighbours and its impulses. A contact acts on
 * a patch S of nodes (none, one, or the few nodes of its barycentric weights) and on up to two reduced bodies. A visit of the
 * contact computes:
 *
 *     The velocities of the patch are v_S <- v_S + A_SS^-1 (rhs + H^T r - A v)_S, with all other unknowns held.
 *     The contact velocity is u = Z^T y + H_S v_S + u_f, with the half solves Z and the states y of the reduced bodies.
 *     The local compliance is W_loc = Z^T Z + H_S A_SS^-1 H_S^T, from the half solves Z and the patch S of nodes.
 *     The new impulse is r <- local(W_loc, u - W_loc r), computed by the local solver; then y and v_S are updated.
 *
 * One local solver therefore serves reduced bodies and nodal bodies. Nodes without contacts are relaxed in the same sweep. At a
 * fixed point the Coulomb law holds at every contact and the momentum balance at every node, for any choice of patches. */
#ifndef CST_FRICTION_MIXED_SWEEP_H
#define CST_FRICTION_MIXED_SWEEP_H

#include "friction/bodies.h"

/* Solves a problem with reduced and nodal bodies in the mixed form. `r` (contacts x dim): initial guess in, best answer out. `v`
 * (dofs): output. Fills the report except its residual. The status is that of the solver itself, and may be SOLVED,
 * TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. `bodies` holds the factorised bodies, without the
 * nodal bodies. `compliance` (contacts): output, the compliance of each contact, which the residual needs
 * (friction/body_audit.h). */
void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report);

#endif
