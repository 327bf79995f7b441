/* Primal Gauss-Seidel method for cloth: the unknowns are the node velocities (Li et al. 2018, sections 4 to 6, corrected in
 * docs/maths_solvers.md, 7). Symbols:
 *     `A`, `rhs`: matrix and right-hand side of the linear system of the nodes.
 *     `v`: node velocities.
 *     `r`: impulses.
 *     `u_f`: velocity offset.
 *     `G`: orthogonal matrix, transforms node velocities to the contact frames.
 *     `u`: velocities in the contact frames.
 *
 * The impulses r are a linear function of the velocities u in the contact frames:
 *
 *     `A v = rhs + G^T*r`.
 *     `u = G v + u_f`.
 *     `What = G*A*G^T`.
 *     `dhat = -G*rhs - What*u_f`.
 *     `r = What*u + dhat`.
 *
 * For a node that touches an obstacle, the matrix G rotates the node velocity into the contact frame. For a contact of two nodes,
 * G transforms the two node velocities into their difference and their sum, both divided by sqrt(2). For a contact of two nodes,
 * the Coulomb law applies to the difference of their velocities.
 *
 * A node with several contacts is replaced by copies, one for each contact. Each copy of node i has the diagonal block A_ii and
 * the right-hand side of the node, divided by the number of copies of node i. A copy of node i and a copy of node j are coupled
 * by the block A_ij, divided by the numbers of copies of both nodes.
 *
 * The matrix A does not couple the copies of one node. Lagrange multipliers make the copies of a node move together. With the
 * Lagrange multipliers, the equation r = What u + dhat for the impulses r becomes r = What u + c (u: velocities in the contact
 * frames). The vector c is the sum of the constant vector dhat and the Lagrange multipliers. The matrix C subtracts from each
 * copy of a node the mean over all copies of this node:
 *
 *     `c = dhat + G*C*G^T*r`.
 *
 * A step of ADMM updates the Lagrange multipliers after every sweep; its penalty for a copy of node i is the diagonal block
 * A_ii divided by the number of copies of node i. If copy i of a node has no contact, its velocity u_i solves a linear
 * equation:
 *
 *     `u_i = -What_ii^-1*(c_i + sum_(j!=i) What_ij*u_j)`. */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Solves a friction problem in which all bodies are nodal (cloth). Each contact must act on one node of each of its bodies, and
 * the block of the contact Jacobian on this node must be orthogonal. `r` (contacts x dim): the impulses, initial guess on input
 * and answer on output. `v` (dofs): output. Fills the report except its residual. The status in the report is SOLVED,
 * TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. The problem must have passed
 * cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
