/* Checks data of the solver before the residual uses them: factors, free motions and half solves Z = L^-1 H^T.
 *
 * The checks neither factorise nor solve. The checks multiply the results back and compare with the given A and H, within
 * rounding bounds (friction/body_defect.h):
 *
 *     The factor must satisfy L (L^T x) = A x for one random vector x per body.
 *     The free motion must satisfy A v = rhs.
 *     Half solves must satisfy L sum_i Z_i c_i = sum_i H_i^T c_i for one random c_i per contact; w_i = |Z_i|^2 / dim.
 *     SOLVE bodies must satisfy A sum_i Y_i c_i = sum_i H_i^T c_i, computed with cst_body.defect.
 *     Without cst_body.defect, SOLVE bodies must satisfy sum_i Y_i c_i = A^-1 sum_i H_i^T c_i, computed with cst_body.solve.
 *
 * A random vector misses an error only if it is orthogonal to the error (Freivalds, Probabilistic machines can use less running
 * time, 1977); with 53-bit numbers this does not happen in practice. The random seed is the index of the body, so the result
 * does not depend on the number of threads. For a body with n dofs, the checks take n^2 operations, and n per contact; a factor
 * takes n^3 / 3 operations, and Z takes n^2 per contact. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Returns true if L is the factor of A, or if the body has no factor. `scratch`: (4 size). */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Returns true if the free velocity is A^-1 rhs, or if the body cannot multiply by A. `scratch`: (3 size). */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* Computes w (contacts, in the problem's order) = trace / dim of the part of W_ii that goes through reduced bodies. The half
 * solves `halves` were built in the given order and are not scaled yet. The value w is NaN for contacts of a body whose half
 * solves do not match A and H. Returns false if memory ran out. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
