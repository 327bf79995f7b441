/* Primal Gauss-Seidel method for friction problems whose unknowns are node velocities v (Li et al. 2018, sections 4 to 6,
 * corrected in docs/maths_solvers.md, 7). Symbols:
 *     `A`, `rhs`: matrix, right-hand side.
 *     `r`: impulses.
 *     `u_f`: velocity offset.
 *     `G`: orthogonal, to the contact frames.
 *     `u`: velocities in the contact frames.
 *
 * The transformation by the matrix G to the contact frames gives the impulses r as a linear function of the velocities u in these
 * frames:
 *
 *     `A v = rhs + G^T*r`.
 *     `u = G v + u_f`.
 *     `What = G*A*G^T`.
 *     `dhat = -G*rhs - What*u_f`.
 *     `r = What*u + dhat`.
 *
 * If a node touches an obstacle, the orthogonal matrix G rotates the node velocity into the contact frame. For a contact of two
 * nodes, the matrix G transforms their velocities into their difference and their sum, divided by sqrt(2); the Coulomb law
 * applies to the difference only. A node with several contacts is replaced by copies, one for each contact:
 *
 *     The diagonal block of A and the right-hand side of a copy of a node are those of the node, divided by its number of copies.
 *     A copy of node i and a copy of node j are coupled by the block A_ij of the system matrix, divided by the number of copies
 *     of i and by that of j.
 *
 * The copies of one node are not coupled by the matrix A. In the equation r = What u + dhat for the impulses r, the constant
 * vector dhat is replaced by a vector c. The vector c contains Lagrange multipliers that make the copies of a node move together.
 * Let C be the matrix that subtracts from each copy of a node the mean over all copies of this node:
 *
 *     `c = dhat + G*C*G^T*r`.
 *
 * The update of the Lagrange multipliers in the vector c is a step of ADMM, whose penalty is the diagonal block A_ii of the node
 * divided by its number of copies. If no contact acts on a copy i of a node, its transformed velocity u_i is the solution of a
 * linear equation:
 *
 *     `u_i = -What_ii^-1*(c_i + sum_(j!=i) What_ij*u_j)`. */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Solves a friction problem in which all bodies are nodal: each node has its own velocity and the matrix A has a block per node.
 * Each contact must act on one node of each of its bodies, and the block of its Jacobian on this node must be orthogonal. `r`
 * (contacts x dim): the impulses, initial guess on input and answer on output. `v` (dofs): output. Fills the report except its
 * residual. The status in the report is the one that this solver found, and may be SOLVED, TOLERANCE_MISSED, INTERRUPTED,
 * OUT_OF_MEMORY, or BAD_PROBLEM with a message. The problem must have passed cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
