/* Solves friction problems with cloth and other bodies by Gauss-Seidel sweeps and Newton's method.
 *
 * The unknowns are the node velocities of cloth and the contact impulses. A contact acts on some cloth nodes, possibly none, and
 * on at most two bodies other than cloth. Symbols for one contact:
 *     `r`, `u`: impulse, velocity.
 *     `v_S`: velocities of the cloth nodes S on which the contact acts.
 *     `H_S`: part of the contact Jacobian for the nodes S.
 *     `A_SS`: block of the nodal matrix for the nodes S.
 *     `Z = L^-1*H^T`: half solve (half.h).
 *     `y`: body state, sum of `Z*r`.
 *     `c`: velocity of the contact if all impulses and all node velocities are zero.
 *     `W`: local compliance.
 *
 * A visit of a contact first changes the velocities v_S of its nodes so that their momentum defect becomes zero: it adds A_SS^-1
 * times the defect. The velocity and the local compliance of the contact have one term for each body other than cloth, and one
 * for the nodes:
 *
 *     `u = Z^T*y+H_S*v_S+c`.
 *     `W = Z^T*Z + H_S*A_SS^-1*H_S^T`.
 *
 * A local solver computes the new impulse of the contact from its velocity u and its local compliance W. The sweep also
 * corrects the velocities of nodes without contacts. At a fixed point of the sweep, every contact satisfies the Coulomb law
 * and every node satisfies the momentum balance. */
#ifndef CST_FRICTION_MIXED_SWEEP_H
#define CST_FRICTION_MIXED_SWEEP_H

#include "friction/bodies.h"

/* `r` (contacts x dim): the impulses; on input the initial guess, on output the best answer. `v` (dofs): output, the body
 * velocities. `bodies`: factorised, except cloth. `compliance` (contacts): output, the compliance of each contact
 * (friction/body_audit.h). Fills the report except its residual. The status in the report is SOLVED, TOLERANCE_MISSED,
 * NO_SOLUTION, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. */
void cst_bodies_solve_mixed(const cst_bodies *bodies, const cst_friction_options *options, cst_arena *arena, double *r, double *v,
                            double *compliance, cst_friction_report *report);

#endif
