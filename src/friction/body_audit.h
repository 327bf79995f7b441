/* Checks the solver's Cholesky factors of body matrices, free motions of bodies, and half solves (half.h), before the residual
 * uses them.
 *
 * The checks neither factorise nor solve. Each check substitutes a result of the solver into the equation that the result must
 * satisfy up to rounding (friction/body_defect.h):
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
 * If the caller solves the linear systems of a body but cannot multiply by its matrix (cst_body.defect is NULL), the caller's
 * solutions are compared with one more solution, for a random combination of the contacts. A check with a random vector misses an
 * error only if the vector is orthogonal to the error, which does not happen in practice with 53-bit numbers (Freivalds,
 * Probabilistic machines can use less running time, 1977). The random seed is the index of the body, so the check does not depend
 * on the number of threads. For a body with n dofs, the checks take about n^2 operations, and n operations per contact. A
 * Cholesky factor takes n^3 / 3 operations, and the half solve of a contact takes n^2 operations. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Returns true if the stored Cholesky factor of the body agrees with the body's matrix, or if the body has no factor. `scratch`:
 * (4 size). */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Returns true if the free velocity of the body satisfies A v = rhs, or if the body has no function that multiplies by its
 * matrix A. `scratch`: (3 size). */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* Computes the compliance w of every contact, |Z|^2 / dim, from its half solves Z (half.h) on reduced (not nodal) bodies.
 * `halves`: the half solves Z of all contacts, not scaled; those at position k belong to contact order[k] of the problem. The
 * compliance of a contact is NaN if one of its bodies has half solves L^-1 H^T that do not agree with the matrices L and H.
 * Returns false if memory ran out. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
