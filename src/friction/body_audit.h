/* Checks the Cholesky factor, the free velocity and the half solves L^-1 H^T (half.h) that a solver computed for each body,
 * before the residual is computed from them. The factors, the free velocities, the half solves and the caller's solutions must
 * each satisfy one of these equations up to rounding (friction/body_defect.h):
 *
 *     `L*(L^T*x) = A*x` (factors).
 *     `A*v = rhs` (free velocities).
 *     `L*(Z*c) = H^T*c` (half solves).
 *     `A*(Y*c) = H^T*c` (caller's solutions).
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
 * If a caller provides no function that multiplies by the body matrix A, the caller's solutions are checked by one more solve. A
 * check with a random vector overlooks an error only if the random vector is orthogonal to the error (Freivalds, Probabilistic
 * machines can use less running time, 1977). The random seed is the index of the body, so the check does not depend on the number
 * of threads. For a body with n dofs, the checks take about n^2 operations, plus n operations for each contact. For a body with n
 * dofs, the Cholesky factorisation takes n^3 / 3 operations, and the half solve of each contact n^2 operations. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Returns true if the stored Cholesky factor agrees with the matrix of the body, or if the body is neither dense nor banded.
 * `scratch`: (4 size). */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Returns true if the free velocity v of the body satisfies A v = rhs (A: matrix of the body), or if the body is not checked
 * because cst_body_has_defect returns false. Returns false if a callback failed. `scratch`: (3 size). */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* Computes the compliance `w` of every contact from its checked half solves Z = L^-1 H^T: the sum of |Z|^2 / dim over its bodies
 * except cloth. The compliance of a contact is NaN if the check fails on one of its bodies. `halves`: the matrices L^-1 H^T
 * (half.h) of the unscaled problem; position k belongs to contact order[k] of the problem, or to contact k if `order` is NULL.
 * Returns false if memory ran out. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
