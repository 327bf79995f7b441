/* Checks the Cholesky factors of body matrices, the velocities of bodies without impulses, and the half solves L^-1 H^T (half.h)
 * that the solver provides, before the residual uses them.
 *
 * The checks do not factorise matrices, and solve a linear system only for bodies whose matrix is not available. Each check
 * inserts a result of the solver into the equation that the result must satisfy up to rounding (friction/body_defect.h):
 *
 *     Factors: `L(L^T x) = A x`.
 *     Free motions: `A v = rhs`.
 *     Half solves: `L(Z c) = H^T c`.
 *     Callers' solutions: `A(Y c) = H^T c`.
 *
 * Symbols:
 *     `A`: matrix of the body.
 *     `rhs`: right-hand side of the body.
 *     `L`: Cholesky factor of A.
 *     `v`: free velocity of the body.
 *     `H`: Jacobian of all its contacts.
 *     `Z = L^-1*H^T`: half solves.
 *     `Y = A^-1*H^T`: a caller's solutions.
 *     `x`, `c`: random vectors.
 *
 * If the caller only provides a function that solves the linear systems of a body, but none that multiplies by the body's matrix
 * (cst_body.defect is NULL), the caller's solutions are checked by one more solve, with a random combination of their right-hand
 * sides. A check with a random vector misses an error only if the vector is orthogonal to the error, which does not happen in
 * practice with 53-bit numbers (Freivalds, Probabilistic machines can use less running time, 1977). The random seed is the index
 * of the body, so the check does not depend on the number of threads. For a body with n dofs, the checks take about n^2
 * operations, and n operations per contact. For a body with n dofs, a Cholesky factor takes n^3 / 3 operations, and the half
 * solve L^-1 H^T of a contact takes n^2 operations. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Returns true if the stored Cholesky factor of the body agrees with the body's matrix, or if the body has no factor. `scratch`:
 * (4 size). */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Returns true if the free velocity of the body satisfies A v = rhs, or if the body has no function that multiplies by its
 * matrix A. `scratch`: (3 size). */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* Computes the compliance w = |Z|^2 / dim of every contact from its half solves Z = L^-1 H^T (half.h), for all bodies except
 * cloth. `halves`: the half solves Z = L^-1 H^T of all contacts, not scaled; those at position k belong to contact order[k] of
 * the problem. The compliance of a contact is NaN if one of its bodies has half solves L^-1 H^T that do not agree with the
 * matrices L and H. Returns false if memory ran out. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
