/* Primal nodal Gauss-Seidel (Li et al. 2018, sections 4 to 6, corrected in docs/maths_solvers.md, 7): velocities are the
 * unknowns.
 *
 *     A v = rhs + G^T r,  u = G v + u_f,  G orthogonal     =>     r = What u + dhat,   What = G A G^T,  dhat = -G rhs - What u_f
 *
 * A contact of a node with an obstacle turns its velocity into the contact's frame; a contact of two nodes turns both into
 * (relative, mean) / sqrt(2), the law on the first and nothing on the second. A node with p contacts is duplicated p times,
 *
 *     A_aa = A_ii / p,   A_ab = A_ij / (p_i p_j),   rhs_a = rhs_i / p,   copies of a node uncoupled and pinned together:
 *     dhat is replaced by c = dhat + G C G^T r,   C = I - 1 1^T / p on the copies of a node
 *
 * (the update of c is a multiplier step: ADMM with penalty A_ii / p). Free nodes and means are linear: u_i = -What_ii^-1 (c_i +
 * sum). */
#ifndef CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H
#define CST_FRICTION_PRIMAL_GAUSS_SEIDEL_H

#include "base/arena.h"
#include "capstan/friction.h"

/* Every body nodal, every side of a contact one node with an orthogonal block. r (contacts x dim): first guess in, answer out.
 * v (dofs) out. Fills the report but for its residual; status as believed here: SOLVED, TOLERANCE_MISSED, INTERRUPTED,
 * OUT_OF_MEMORY, or BAD_PROBLEM with a message. The problem has passed cst_body_problem_check. */
void cst_bodies_solve_primal(const cst_body_problem *problem, const cst_friction_options *options, cst_arena *arena, double *r,
                             double *v, cst_friction_report *report);

#endif
