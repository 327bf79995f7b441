#include "rod/super_helix_riccati.h"

#include <math.h>
#include <string.h>

#include "math/cholesky3.h"

double cst_helix_eliminate(const cst_helix_mass *A, const cst_helix_joint *F, cst_helix_inertia *P, cst_helix_factor *out)
{
    /* P F: columns omega and u. */
    double vw[9], ww[9], vu[9], wu[9], half[9], uu[9];
    const double *c = F->chord;
    /* `X*(-hat(c))` by cross products */
    for (int i = 0; i < 3; ++i) {
        const double column[3] = {P->vw[i], P->vw[3 + i], P->vw[6 + i]}; /* row i of P_wv */
        cst_cross3(c, P->vv + 3 * i, vw + 3 * i);
        cst_cross3(c, column, ww + 3 * i);
    }
    for (int k = 0; k < 9; ++k) {
        vw[k] += P->vw[k];
        ww[k] += P->ww[k];
    }
    cst_product3(P->vv, F->bend, vu);
    cst_product3(P->vw, F->turning, half);
    for (int k = 0; k < 9; ++k)
        vu[k] += half[k];
    cst_transposed_product3(P->vw, F->bend, wu);
    cst_product3(P->ww, F->turning, half);
    for (int k = 0; k < 9; ++k)
        wu[k] += half[k];

    /* `B = A+F^T*P*F` */
    cst_transposed_product3(F->bend, vu, uu);
    cst_transposed_product3(F->turning, wu, half);
    for (int k = 0; k < 9; ++k)
        uu[k] += half[k] + A->uu[k];
    cst_add_hat_product3(c, vw, ww);
    cst_add_hat_product3(c, vu, wu);
    for (int k = 0; k < 9; ++k) {
        vu[k] += A->vu[k];
        wu[k] += A->wu[k];
        ww[k] += A->ww[k];
    }
    const double *f = A->first;
    vw[1] += f[2];
    vw[2] -= f[1];
    vw[3] -= f[2];
    vw[5] += f[0];
    vw[6] += f[1];
    vw[7] -= f[0];

    double l[6], Yv[9], Yw[9];
    const double least = cst_cholesky3(uu, l);
    cst_cholesky3_halve(l, vu, Yv);
    cst_cholesky3_halve(l, wu, Yw);
    out->joint = *F;
    cst_cholesky3_complete(l, Yv, out->gain_v);
    cst_cholesky3_complete(l, Yw, out->gain_w);
    cst_cholesky3_invert(l, out->inverse);
    P->vv[0] += A->m;
    P->vv[4] += A->m;
    P->vv[8] += A->m;
    cst_subtract_gram3(Yv, Yv, P->vv);
    cst_mirror3(P->vv);
    memcpy(P->vw, vw, sizeof vw);
    cst_subtract_gram3(Yv, Yw, P->vw);
    memcpy(P->ww, ww, sizeof ww);
    cst_subtract_gram3(Yw, Yw, P->ww);
    cst_mirror3(P->ww);
    return least;
}

bool cst_helix_factor_root(const cst_helix_inertia *P, cst_envelope *root)
{
    for (int i = 0; i < 3; ++i) {
        double *v = cst_envelope_row(root, i), *w = cst_envelope_row(root, 3 + i);
        for (int j = 0; j <= i; ++j) {
            v[j] = P->vv[3 * i + j];
            w[3 + j] = P->ww[3 * i + j];
        }
        for (int j = 0; j < 3; ++j)
            w[j] = P->vw[3 * j + i];
    }
    return cst_envelope_factor(root) < 0;
}

bool cst_helix_riccati_solve(const cst_helix_factor *all, int n, const cst_envelope *root, double *x)
{
    double g[6] = {0.0}, *gw = g + 3;
    for (int i = n - 1; i >= 0; --i) {
        const cst_helix_factor *f = &all[i];
        double *xi = x + 9 * (size_t)i, r[3], by_turning[3], taken[3];
        cst_apply_transposed3(f->joint.bend, g, r);
        cst_apply_transposed3(f->joint.turning, gw, by_turning);
        for (int k = 0; k < 3; ++k)
            r[k] += by_turning[k] + xi[6 + k];
        cst_add_cross3(f->joint.chord, g, gw);
        cst_apply_transposed3(f->gain_w, r, taken);
        for (int k = 0; k < 3; ++k)
            gw[k] += xi[3 + k] - taken[k];
        cst_apply_transposed3(f->gain_v, r, taken);
        for (int k = 0; k < 3; ++k)
            g[k] += xi[k] - taken[k];
        cst_apply_upper3(f->inverse, r, xi + 6);
    }
    cst_helix_nonad node = {{0.0}, {0.0}, {0.0}};
    if (root) {
        cst_envelope_forward(root, 1, 6, 0, g);
        cst_envelope_backward(root, g);
        memcpy(node.v, g, sizeof node.v);
        memcpy(node.w, gw, sizeof node.w);
    }
    for (int i = 0; i < n; ++i) {
        const cst_helix_factor *f = &all[i];
        double *xi = x + 9 * (size_t)i, from_v[3], from_w[3];
        cst_apply3(f->gain_v, node.v, from_v);
        cst_apply3(f->gain_w, node.w, from_w);
        for (int k = 0; k < 3; ++k)
            node.u[k] = xi[6 + k] - from_v[k] - from_w[k];
        memcpy(xi, &node, sizeof node);
        cst_helix_joint_times(&f->joint, &node);
    }
    return isfinite(node.v[0] + node.v[1] + node.v[2]) && isfinite(node.w[0] + node.w[1] + node.w[2]);
}
