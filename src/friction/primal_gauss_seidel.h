/* Primal nodal Gauss-Seidel (Li et al. 2018, sections 4 to 6, corrected in docs/maths_solvers.md, 7). The unknowns are the node
 * velocities v. Symbols:
 *     `A`, `rhs`: matrix, right-hand side.
 *     `r`: impulses.
 *     `u_f`: velocity offset.
 *     `G`: orthogonal, to the contact frames.
 *     `u`: velocities in the contact frames.
 *
 * The transformation to the contact frames gives the impulses as a linear function of the velocities u:
 *
 *     `A v = rhs + G^T*r`.
 *     `u = G v + u_f`.
 *     `What = G*A*G^T`.
 *     `dhat = -G*rhs - What*u_f`.
 *     `r = What*u + dhat`.
 *
 * If a node touches an obstacle, the matrix G rotates the node velocity into the contact frame. For a contact of two nodes, the
 * matrix G transforms their velocities into the difference and the sum of the velocities, divided by sqrt(2); the Coulomb law
 * applies to the difference, and the sum is free. A node with several contacts is replaced by copies, one for each contact:
 *
 *     The diagonal block and the right-hand side of a copy are those of its node, divided by the number of copies.
 *     A copy of node i and a copy of node j are coupled by the block A_ij of the two nodes, divided by both numbers of copies.
 *
 * The copies of one node are not coupled by the matrix A. In the equation r = What u + dhat for the impulses, the constant vector
 * dhat is replaced by a vector c, which contains multipliers that make the copies of a node move together. Let C be the matrix
 * that subtracts the mean over the copies of each node:
 *
 *     `c = dhat + G*C*G^T*r`.
 *
 * The update of the multipliers in the vector c is a step of ADMM, whose penalty is the diagonal block A_ii of the node divided
 * by the number of copies. If no contact acts on a copy i of a node, its velocity u_i in the contact frame is the solution of a
 * linear equation:
 *
 *     `u_i = -What_ii^-1*(c_i + sum_(j!=i) What_ij*u_j)`. */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Solves a problem in which every body is nodal. Each contact must act on one node of each of its bodies, and the block of its
 * Jacobian on this node must be orthogonal. `r` (contacts x dim): the impulses, initial guess on input and answer on output. `v`
 * (dofs): output. Fills the report except its residual. The status is that of the solver itself, and may be SOLVED,
 * TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. The problem must have passed
 * cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
