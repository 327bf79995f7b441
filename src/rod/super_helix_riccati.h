/* Elimination along a super helix from its free end to the root, in O(n).
 *
 * The coordinates are (v_i, omega_i, u_i') of every element, coupled by the joints F_i of super_helix_element.h. All elements
 * after element i act on its end as a 6 x 6 inertia P and an impulse g (a Riccati recursion, or the articulated-body method;
 * Bertails 2009), computed by
 *
 *     P = 0, g = 0; for i = n-1..0   B = A_i + F_i^T P F_i,  r = b_i + F_i^T g,   B_uu = L L^T,   Y = L^-1 B_ux,   k = L^-T Y,
 *                                    y_i = B_uu^-1 r_u,  g = r_x - k^T r_u,  P = B_xx - Y^T Y
 *     root:                          clamped X = 0, free P X = g;    i = 0 .. n-1:  u_i' = y_i - k X,  X = F_i (X, u_i').
 *
 * P is stored as three blocks; only upper triangles are computed and then mirrored. If rounding made P unsymmetric, the
 * asymmetry would grow from element to element until the factorisation of B_uu fails; with smaller time steps it fails sooner.
 * Cost per element: 900 flops and 370 bytes for the factor; 250 flops for a solution. */
#ifndef CST_ROD_SUPER_HELIX_RICCATI_H
#define CST_ROD_SUPER_HELIX_RICCATI_H

#include "rod/super_helix_element.h"
#include "sparse/envelope_cholesky.h"

/* P: vv and ww symmetric. */
typedef struct cst_helix_inertia {
    double vv[9], vw[9], ww[9];
} cst_helix_inertia;

typedef struct cst_helix_factor {
    cst_helix_joint joint;
    double gain_v[9], gain_w[9]; /* matrix k: rows for u, columns for v and omega */
    double inverse[6];           /* entries 00 01 02 11 12 22 of B_uu^-1 */
} cst_helix_factor;

/* Computes P at the start of an element from P at its end, and fills the factor of the element. Returns the smallest squared
 * pivot of the element; A is not positive definite if this pivot is not positive. */
double cst_helix_eliminate(const cst_helix_mass *A, const cst_helix_joint *F, cst_helix_inertia *P, cst_helix_factor *out);

/* Factors P at a free root as a dense 6 x 6 matrix. Returns false if P is not positive definite. */
bool cst_helix_factor_root(const cst_helix_inertia *P, cst_envelope *root);

/* Computes x (9 n) <- A^-1 x. `root`: factor of P at a free root; NULL for a clamped root. Returns false if a value is not
 * finite. */
bool cst_helix_riccati_solve(const cst_helix_factor *all, int n, const cst_envelope *root, double *x);

#endif
