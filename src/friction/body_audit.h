/* Checks data of the solver before the residual uses them. The checked data are the Cholesky factors L of the body matrices A,
 * the free motions of the bodies, and the half solves Z = L^-1 H^T, where H is the Jacobian of the contacts.
 *
 * The checks neither factorise nor solve. The checks multiply the results back and compare with the given matrices A and H,
 * within rounding bounds (friction/body_defect.h):
 *
 *     The factor must satisfy L (L^T x) = A x for one random vector x per body.
 *     The free motion v of a body must satisfy A v = rhs.
 *     Half solves must satisfy L sum_i Z_i c_i = sum_i H_i^T c_i for one random vector c_i per contact i.
 *     The solutions Y_i = A^-1 H_i^T of a SOLVE body must satisfy A sum_i Y_i c_i = sum_i H_i^T c_i (cst_body.defect).
 *     If a SOLVE body has no cst_body.defect, its solutions Y_i must satisfy sum_i Y_i c_i = A^-1 sum_i H_i^T c_i.
 *
 * A random vector misses an error only if it is orthogonal to the error (Freivalds, Probabilistic machines can use less running
 * time, 1977); with 53-bit numbers this does not happen in practice. The random seed is the index of the body, so the result
 * does not depend on the number of threads. For a body with n dofs, the checks take n^2 operations, and n per contact; a factor
 * takes n^3 / 3 operations, and Z takes n^2 per contact. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Returns true if L is the Cholesky factor of the body's matrix A, or if the body has no factor. `scratch`: (4 size). */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Returns true if the free velocity is A^-1 rhs, or if the body cannot multiply by A. `scratch`: (3 size). */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* Computes the compliance w_i = |Z_i|^2 / dim of every contact i, from its half solves Z_i on reduced (not nodal) bodies. `w`
 * has the contacts in the problem's order. The half solves `halves` were built in the given order and are not scaled yet. The
 * compliance w_i is NaN if contact i acts on a body whose half solves do not match the given matrices A and H. Returns false if
 * memory ran out. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
