/* The judge's look at what it borrows: factors, free motions and Z = L^-1 H^T that were made for the solver.
 *
 * Nothing is factored or solved again. What was made is multiplied back and compared with what was given, A and H, within the bounds
 * of rounding (friction/body_defect.h):
 *
 *     factor         L (L^T x) = A x           for one random vector x per body
 *     free motion    A v = rhs
 *     half solves    L sum_i Z_i c_i = sum_i H_i^T c_i      for one random c_i per contact of the body; and w_i = |Z_i|^2 / dim
 *     SOLVE bodies   A sum_i Y_i c_i = sum_i H_i^T c_i      by cst_body.defect; without it A^-1 sum_i H_i^T c_i by cst_body.solve
 *
 * A random vector misses an error only if it happens to be orthogonal to it (Freivalds, Probabilistic machines can use less running
 * time, 1977): with numbers of 53 bits, never. The numbers come from a seed that is the body's index: the same for any number of
 * threads. n^2 operations per body and n per contact, where a factor takes n^3 / 3 and Z n^2 per contact. */
#ifndef CST_FRICTION_BODY_AUDIT_H
#define CST_FRICTION_BODY_AUDIT_H

#include "friction/half.h"

/* Is L the factor of A? scratch (4 size). True for a body without a factor. */
bool cst_audit_factor(const cst_bodies *bodies, int body, double *scratch);

/* Is the free velocity A^-1 rhs? scratch (3 size). True for a body that cannot multiply with A. */
bool cst_audit_free_motion(const cst_bodies *bodies, int body, double *scratch);

/* w (contacts, as the problem numbers them) = trace of the part of W_ii that goes through reduced bodies / dim, by the halves that
 * were built in the order given and not scaled yet. Not a number for contacts of a body whose halves are not those of A and H.
 * False: out of memory. */
bool cst_audit_halves(const cst_bodies *bodies, const cst_halves *halves, const int32_t *order, int threads, cst_arena *arena,
                      double *w);

#endif
