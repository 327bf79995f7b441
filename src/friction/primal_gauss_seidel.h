/* Primal nodal Gauss-Seidel (Li et al. 2018, sections 4 to 6, corrected in docs/maths_solvers.md, 7). The velocities are the
 * unknowns, and an orthogonal matrix G transforms them to the contact frames:
 *
 *     The momentum balance is A v = rhs + G^T r, and the transformed velocities are u = G v + u_f.
 *     Because G is orthogonal, the impulses are r = What u + dhat, with What = G A G^T and dhat = -G rhs - What u_f.
 *
 * A contact of a node with an obstacle rotates the node velocity into the contact frame. A contact of two nodes transforms both
 * velocities into (relative, mean) / sqrt(2): the Coulomb law applies to the relative velocity, and the mean velocity is free. A
 * node i with p_i contacts is replaced by p_i copies:
 *
 *     A copy a of node i has the matrix A_aa = A_ii / p_i and the right-hand side rhs_a = rhs_i / p_i.
 *     A copy a of node i and a copy b of node j are coupled by A_ab = A_ij / (p_i p_j).
 *
 * The copies of a node are not coupled by A, but tied to each other by a vector c that replaces the constant dhat:
 *
 *     The vector that ties the copies is c = dhat + G C G^T r, where C subtracts the mean over the copies of each node.
 *
 * The update of the vector c, which ties the copies of a node, is a multiplier step of ADMM; its penalty is A_ii divided by the
 * number of copies. The equations of free nodes and of mean velocities are linear: u_i = -What_ii^-1 (c_i + sum over j != i of
 * What_ij u_j). */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Solves a problem in which every body is nodal, and every side of a contact is one node with an orthogonal block. `r`
 * (contacts x dim): initial guess in, answer out. `v` (dofs): output. Fills the report except its residual. The status is that
 * of the solver itself, and may be SOLVED, TOLERANCE_MISSED, INTERRUPTED, OUT_OF_MEMORY, or BAD_PROBLEM with a message. The
 * problem must have passed cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
