/* Elimination along a super helix from its free end to the root, in O(n).
 *
 * The unknowns of every element are the velocity and the angular velocity of its start and its rates of curvature. The joint
 * matrices of super_helix_element.h couple neighbouring elements. All elements after an element act on its end like a 6 x 6
 * inertia P with an impulse g (a Riccati recursion, or the articulated-body method; Bertails 2009). Symbols:
 *     Index `x` of the matrix B or the vector r: rows or columns for the motion of the element's start.
 *     Index `u` of the matrix B or the vector r: rows or columns for the rates of curvature of the element.
 *     `A_i`, `b_i`: matrix and right-hand side of element i.
 *     `F_i`: joint matrix of element i.
 *     `X`: motion of the element's start.
 *
 * At the free end, the inertia P and the impulse g are zero. For each element i, the elimination computes the 9 x 9 matrix B and
 * the right-hand side r, and then updates P and g:
 *     `B = A_i+F_i^T*P*F_i`.
 *     `r = b_i+F_i^T*g`.
 *     `B_uu = L*L^T`.
 *     `Y = L^-1*B_ux`.
 *     `k = L^-T*Y`.
 *     `y_i = B_uu^-1*r_u`.
 *     `g <- r_x-k^T*r_u`.
 *     `P <- B_xx-Y^T*Y`.
 *
 * The velocities X of a clamped root are zero, and those of a free root solve P X = g, with the inertia P and the impulse g at
 * the root. A sweep from the root to the free end then computes the rates of curvature of each element:
 *     `u_i' = y_i-k*X`.
 *     `X <- F_i (X,u_i')`.
 *
 * The symmetric blocks of the inertia P are computed as upper triangles and mirrored. Without mirroring, an asymmetry of the
 * inertia from rounding would grow from element to element until the factorisation of a pivot block fails. For each element, the
 * elimination takes 900 flops and stores a factor of 360 bytes; each solution takes 250 flops per element. */
#ifndef CST_ROD_SUPER_HELIX_RICCATI_H
#define CST_ROD_SUPER_HELIX_RICCATI_H

#include "rod/super_helix_element.h"
#include "sparse/envelope_cholesky.h"

/* The 3 x 3 blocks of the 6 x 6 inertia P, named after velocity (v) and angular velocity (w); vv and ww are symmetric. */
typedef struct cst_helix_inertia {
    double vv[9], vw[9], ww[9];
} cst_helix_inertia;

typedef struct cst_helix_factor {
    cst_helix_joint joint;
    double gain_v[9], gain_w[9]; /* gain k: columns v and omega */
    double inverse[6];           /* upper triangle of B_uu^-1 */
} cst_helix_factor;

/* Eliminates the rates of curvature of one element. `P`: on input, the inertia of all following elements; on return, the inertia
 * of the eliminated element and all following elements. `out`: receives the factor of the element, which consists of F, the gain
 * k and the inverse of the pivot block B_uu. Returns the smallest squared pivot of the Cholesky factorisation of this pivot block
 * B_uu; if it is not positive, the matrix of the rod is not positive definite. */
double cst_helix_eliminate(const cst_helix_mass *A, const cst_helix_joint *F, cst_helix_inertia *P, cst_helix_factor *out);

/* Computes the Cholesky factor of the 6 x 6 inertia P of a whole rod with a free root. Returns false if this inertia P is not
 * positive definite. */
bool cst_helix_factor_root(const cst_helix_inertia *P, cst_envelope *root);

/* Solves the equations of the step for the velocities of all n elements. `x` (9 n): right-hand side on input, solution on return.
 * `root`: factor computed by cst_helix_factor_root; NULL if the root is clamped. Returns false if a velocity in the solution is
 * not finite. */
bool cst_helix_riccati_solve(const cst_helix_factor *all, int n, const cst_envelope *root, double *x);

#endif
