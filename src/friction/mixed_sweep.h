/* Gauss-Seidel sweep over reduced and nodal bodies together.
 *
 * For reduced (not nodal) bodies, the unknowns are the contact impulses; half solves L^-1 H^T (friction/half.h) give the states
 * of the bodies from the impulses. For nodal bodies, the unknowns are the node velocities: the velocity of a node is computed
 * from its neighbours and the impulses on it. A contact acts on a set S of few nodes, which may be empty, and on up to two
 * reduced bodies. A visit of the contact computes:
 *
 *     The visit of a contact first corrects the velocities of its nodes by A_SS^-1 times their momentum defect, where A_SS is the
 *     block of the nodal matrix A on these nodes.
 *     The contact velocity is u = Z^T y + H_S v_S + u_f: the contributions of reduced bodies and of nodes, and a given offset
 *     u_f. The reduced bodies contribute Z^T y to the contact velocity, with the half solves Z of the contact and the states y of
 *     these bodies. The nodes contribute H_S v_S to the contact velocity, with the contact Jacobian H_S and the velocities v_S of
 *     the nodes.
 *     The local compliance W_loc of a contact is the sum of Z^T Z, from its rods and rigid bodies, and H_S A_SS^-1 H_S^T, from
 *     its nodes.
 *     The local solver computes the new impulse r from the local compliance W_loc and from u - W_loc r, the contact velocity
 *     without the old impulse.
 *
 * The sweep also updates the velocities of nodes without contacts. At a fixed point of the sweep, every contact satisfies the
 * Coulomb law and every node satisfies the momentum balance. */
#ifndef CST_FRICTION_MIXED_SWEEP_H
#define CST_FRICTION_MIXED_SWEEP_H

#include "friction/bodies.h"

/* Solves a problem with reduced and nodal bodies in the mixed form. `r` (contacts x dim): the impulses, initial guess on input
 * and best answer on output. `v` (dofs): output. Fills the report except its residual. The status is that of the solver itself,
 * and may be SOLVED, TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. `bodies`: factorised, without
 * nodal bodies. `compliance` (contacts): output, the compliance of each contact, which the residual needs
 * (friction/body_audit.h). */
void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report);

#endif
