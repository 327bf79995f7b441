/* Gauss-Seidel sweep over cloth (nodal bodies) and all other bodies (reduced bodies) together.
 *
 * For all bodies except cloth, the unknowns are the contact impulses r. The effect of the impulses on a body that is not cloth
 * is stored as a vector y, the sum of Z r over the contacts of the body, with Z = L^-1 H^T (friction/half.h), the Cholesky
 * factor L of the body's matrix and the Jacobian H of the contact. For nodal bodies (cloth), the unknowns are the node
 * velocities: the sweep computes the velocity of a node from its neighbours and from the impulses on it. A contact acts on a
 * small set S of cloth nodes (possibly none), and on at most two bodies that are not cloth. A visit of the contact computes:
 *
 *     When the sweep visits a contact, it first corrects the velocities of the contact's nodes by A_SS^-1 times their momentum
 *     defect. The matrix A_SS is the block of the nodal matrix A that belongs to the nodes S of the contact.
 *     The contact velocity is u = Z^T y + H_S v_S + u_f: contributions of all bodies except cloth and of the cloth nodes S, and a
 *     given offset u_f. Each body that is not cloth contributes Z^T y to the contact velocity, where y is the sum of Z r over
 *     all contacts of the body, with Z = L^-1 H^T. The nodes contribute H_S v_S to the contact velocity, with the
 *     contact Jacobian H_S and the velocities v_S of the nodes.
 *     The local compliance W_loc of a contact is a sum: each body that is not cloth contributes Z^T Z, with Z = L^-1 H^T, and
 *     the cloth nodes S contribute H_S A_SS^-1 H_S^T.
 *     The local solver computes the new impulse r from the local compliance W_loc and from u - W_loc r, the contact velocity
 *     without the old impulse.
 *
 * The sweep also updates the velocities of nodes without contacts. At a fixed point of the sweep, every contact satisfies the
 * Coulomb law and every node satisfies the momentum balance. */
#ifndef CST_FRICTION_MIXED_SWEEP_H
#define CST_FRICTION_MIXED_SWEEP_H

#include "friction/bodies.h"

/* Solves a friction problem with cloth and other bodies; the unknowns are the node velocities of cloth and the impulses of the
 * contacts. `r` (contacts x dim): the impulses, initial guess on input and best answer on output. `v` (dofs): output. Fills the
 * report except its residual. The solver sets the status in the report to SOLVED, TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY,
 * or BAD_PROBLEM (with a message). `bodies`: factorised, without nodal bodies. `compliance` (contacts): output, the compliance
 * of each contact, which the residual needs (friction/body_audit.h). */
void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report);

#endif
