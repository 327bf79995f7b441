/* The velocities and joint forces of a super-circle rod are eliminated element by element, from the free end to the root.
 *
 * All elements after an element act on its end as a 3 x 3 inertia P and an impulse g. The elimination is a Riccati recursion,
 * also called the articulated-body method (Featherstone, Rigid Body Dynamics Algorithms). The elimination begins at the free end,
 * where the inertia P and the impulse g are zero. For each element i, the elimination computes the 4 x 4 matrix B and the
 * right-hand side r, and then updates P and g:
 *     `B = A_i+F_i^T*P*F_i`.
 *     `r = b_i+F_i^T*g`.
 *     `k = B[0:3,3]/B_33`.
 *     `y_i = r_3/B_33`.
 *     `g <- r[0:3]-k*r_3`.
 *     `P <- B[0:3,0:3]-k*B[3,0:3]`.
 *
 * Symbols:
 *     Index 0 to 2 of the matrix B or the vector r: motion of the element's start (velocity, angular velocity).
 *     Index 3 of the matrix B or the vector r: rate of curvature of the element.
 *     `A_i`, `b_i`: matrix and right-hand side of element i.
 *     `F_i`: joint matrix of element i.
 *
 * The velocities X of a clamped root are zero, and those of a free root solve P X = g, with the inertia P of the whole rod and
 * the impulse g at the root. A sweep from the root to the free end then computes the rate of each curvature and the velocities X
 * at the end of each element:
 *     `kappa_i' = y_i-k.X`.
 *     `X <- F_i (X,kappa_i')`.
 *
 * Only six entries of the symmetric inertia P are stored; with all nine, rounding errors would make the matrix unsymmetric. */
#ifndef CST_ROD_SUPER_CIRCLE_RICCATI_H
#define CST_ROD_SUPER_CIRCLE_RICCATI_H

#include <stdbool.h>

#include "rod/super_circle_element.h"

/* Symmetric 3 x 3 inertia P with which all following elements act on the end of an element. */
typedef struct cst_circle_inertia {
    double xx, xy, xt, yy, yt, tt;
} cst_circle_inertia;

/* The data that the elimination of one element computes, called the factors of the element. With the factors of all elements, the
 * linear system can be solved for any right-hand side. */
typedef struct cst_circle_factor {
    cst_circle_joint joint;
    double length;
    double gain[3]; /* the vector k */
    double inverse; /* 1 / B_33 */
} cst_circle_factor;

/* Factors L and D of the inertia P = L D L^T at a free root; they are stored as L10, L20, L21 and the three values 1/D. */
typedef struct cst_circle_root_factor {
    double value[6];
} cst_circle_root_factor;

/* Eliminates the rate of curvature of one element and returns the pivot B_33. `P`: on input, the inertia of all elements after
 * the eliminated element; on return, the inertia of the eliminated element and all elements after it. */
static inline double cst_circle_eliminate(const cst_circle_mass *A, const cst_circle_joint *joint, double l,
                                          cst_circle_inertia *P, cst_circle_factor *out)
{
    const cst_plane turn = joint->turn, bend = joint->bend;
    const double xx = P->xx, xy = P->xy, xt = P->xt, yy = P->yy, yt = P->yt, tt = P->tt;

    /* product of the inertia P and the joint matrix F: columns for the start angle (`turn_`) and for the curvature (`bend_`) */
    const double turn_x = xx * turn.x + xy * turn.y + xt, turn_y = xy * turn.x + yy * turn.y + yt;
    const double turn_t = xt * turn.x + yt * turn.y + tt;
    const double bend_x = xx * bend.x + xy * bend.y + xt * l, bend_y = xy * bend.x + yy * bend.y + yt * l;
    const double bend_t = xt * bend.x + yt * bend.y + tt * l;

    const double b03 = A->bend.x + bend_x, b13 = A->bend.y + bend_y;
    const double b23 = A->turn_bend + turn.x * bend_x + turn.y * bend_y + bend_t;
    const double b33 = A->bend_bend + bend.x * bend_x + bend.y * bend_y + l * bend_t;
    const double inverse = 1.0 / b33, k0 = b03 * inverse, k1 = b13 * inverse, k2 = b23 * inverse;
    *out = (cst_circle_factor){*joint, l, {k0, k1, k2}, inverse};
    *P = (cst_circle_inertia){.xx = A->m + xx - k0 * b03,
                              .xy = xy - k0 * b13,
                              .xt = A->turn.x + turn_x - k0 * b23,
                              .yy = A->m + yy - k1 * b13,
                              .yt = A->turn.y + turn_y - k1 * b23,
                              .tt = A->turn_turn + turn.x * turn_x + turn.y * turn_y + turn_t - k2 * b23};
    return b33;
}

/* Factors the inertia P of a rod with a free root. Returns false if the inertia P is not positive definite. */
static inline bool cst_circle_factor_root(const cst_circle_inertia *P, cst_circle_root_factor *out)
{
    const double l10 = P->xy / P->xx, l20 = P->xt / P->xx;
    const double d1 = P->yy - l10 * P->xy;
    const double l21 = (P->yt - l20 * P->xy) / d1;
    const double d2 = P->tt - l20 * P->xt - l21 * (P->yt - l20 * P->xy);
    *out = (cst_circle_root_factor){{l10, l20, l21, 1.0 / P->xx, 1.0 / d1, 1.0 / d2}};
    return P->xx > 0.0 && d1 > 0.0 && d2 > 0.0;
}

/* Eliminates the rate of curvature of element i from the right-hand side. `xi`: four right-hand side entries of element i; xi[3]
 * is overwritten with the number y_i, from which the rate of curvature is computed later.
 * `g`: on input, the impulse of all elements after element i on the end of element i; on return, the impulse of element i and all
 * elements after it on the start of element i. */
static inline void cst_circle_reduce(const cst_circle_factor *f, double *xi, double g[3])
{
    const double r2 = xi[2] + f->joint.turn.x * g[0] + f->joint.turn.y * g[1] + g[2];
    const double r3 = xi[3] + f->joint.bend.x * g[0] + f->joint.bend.y * g[1] + f->length * g[2];
    g[0] = xi[0] + g[0] - f->gain[0] * r3;
    g[1] = xi[1] + g[1] - f->gain[1] * r3;
    g[2] = r2 - f->gain[2] * r3;
    xi[3] = r3 * f->inverse;
}

/* Solves P X = g for the velocities X of a free root, with the inertia P of the whole rod. `g`: on input, the impulse at the
 * root; on return, the velocities X. */
static inline void cst_circle_solve_root(const cst_circle_root_factor *factor, double g[3])
{
    const double *L = factor->value, c1 = g[1] - L[0] * g[0], c2 = g[2] - L[1] * g[0] - L[2] * c1;
    g[2] = c2 * L[5];
    g[1] = c1 * L[4] - L[2] * g[2];
    g[0] = g[0] * L[3] - L[0] * g[1] - L[1] * g[2];
}

/* Replaces the velocities X at the start of an element by those at its end, and returns the rate of its curvature. `y`: y_i */
static inline double cst_circle_substitute(const cst_circle_factor *f, double y, double X[3])
{
    const double rate = y - f->gain[0] * X[0] - f->gain[1] * X[1] - f->gain[2] * X[2];
    X[0] += f->joint.turn.x * X[2] + f->joint.bend.x * rate;
    X[1] += f->joint.turn.y * X[2] + f->joint.bend.y * rate;
    X[2] += f->length * rate;
    return rate;
}

#endif
