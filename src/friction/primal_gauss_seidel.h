/* Primal Gauss-Seidel method: the unknowns are the node velocities v (Li et al. 2018, sections 4 to 6, corrected in
 * docs/maths_solvers.md, 7). Symbols:
 *     `A`, `rhs`: matrix and right-hand side of the nodes.
 *     `r`: impulses.
 *     `u_f`: velocity offset.
 *     `G`: orthogonal matrix that transforms node velocities to the contact frames.
 *     `u`: velocities in the contact frames.
 *
 * The velocities u determine the impulses r:
 *
 *     `A v = rhs + G^T*r`.
 *     `u = G v + u_f`.
 *     `What = G*A*G^T`.
 *     `dhat = -G*rhs - What*u_f`.
 *     `r = What*u + dhat`.
 *
 * For a node that touches an obstacle, G rotates the node velocity into the contact frame. For a contact of two nodes, G
 * transforms their velocities into their difference and their sum, divided by sqrt(2). The Coulomb law applies to the
 * difference.
 *
 * A node with several contacts is replaced by copies, one for each contact:
 *
 *     The diagonal block A_ii and the right-hand side of a node are divided by its number of copies.
 *     The block A_ij couples each copy of node i with each copy of node j, divided by both numbers of copies.
 *
 * The matrix A does not couple the copies of one node. Lagrange multipliers make them move together: the constant vector dhat
 * is replaced by a vector c, which each sweep updates. The matrix C subtracts from each copy of a node the mean over all its
 * copies:
 *
 *     `c = dhat + G*C*G^T*r`.
 *
 * The update of c is a step of ADMM. Its penalty is the diagonal block A_ii of the node, divided by the number of copies. The
 * velocity u_i of a copy without a contact solves a linear equation:
 *
 *     `u_i = -What_ii^-1*(c_i + sum_(j!=i) What_ij*u_j)`. */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Solves a friction problem whose bodies are all nodal (cloth). Each contact must act on one node of each of its bodies, and
 * the block of its Jacobian on this node must be orthogonal. `r` (contacts x dim): the impulses, initial guess on input and
 * answer on output. `v` (dofs): output. Fills the report except its residual. The status in the report is SOLVED,
 * TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. The problem must have passed
 * cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
