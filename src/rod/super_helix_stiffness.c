#include "rod/super_helix_stiffness.h"

static void add_symmetric(double scale, const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            out[3 * i + j] += scale * (a[i] * b[j] + b[i] * a[j]);
    }
}

static void add_diagonal(double value, double *out)
{
    out[0] += value;
    out[4] += value;
    out[8] += value;
}

/* Adds `scale` times the matrix of the quadratic form f^T p'' of the rates of curvature, where f is a force and p'' the second
 * time derivative of a position (super_helix_maps.h). */
static void add_place(double scale, const cst_helix_maps *m, const double *f, double *out)
{
    const double *x = m->x, first[3] = {0.0, x[2], -x[1]}; /* x x e0 */
    const double cc[3] = {-(x[1] * x[1] + x[2] * x[2]), x[0] * x[1], x[0] * x[2]}, e0[3] = {1.0, 0.0, 0.0};
    const double turned[3] = {0.0, -f[2], f[1]}; /* e0 x f */
    const double c1 = cst_dot3(f, first), c2 = cst_dot3(f, cc), along = cst_dot3(f, x);
    scale *= m->s * m->s * m->s;
    add_symmetric(scale * (0.5 * (m->A2 * c1 + m->B2 * c2) - 2.0 * m->B1 * f[0]), x, x, out);
    add_symmetric(scale * m->A1, x, turned, out);
    add_symmetric(scale * m->B1 * x[0], x, f, out);
    add_symmetric(scale * m->B1 * along, x, e0, out);
    add_symmetric(scale * m->B, f, e0, out);
    add_diagonal(scale * (m->A1 * c1 + m->B1 * c2 - 2.0 * m->B * f[0]), out);
}

/* Adds `scale` times the matrix of the quadratic form mu^T V' u' of the rates of curvature, where mu is a moment and V' u' the
 * second time derivative of a rotation (super_helix_maps.h). */
static void add_turning(double scale, const cst_helix_maps *m, const double *mu, double *out)
{
    const double *x = m->x, along = cst_dot3(mu, x);
    double turned[3];
    cst_cross3(mu, x, turned);
    scale *= m->s * m->s;
    add_symmetric(0.5 * scale * m->A1, x, turned, out);
    add_symmetric(0.5 * scale * m->B1 * along, x, x, out);
    add_symmetric(-0.5 * scale * (m->B1 * m->z + m->B), x, mu, out);
    add_diagonal(scale * m->B * along, out);
}

static void add_force(cst_helix_block *N, const cst_helix_element *e, const cst_helix_maps *m, const double *force)
{
    double p[3], G[9], chord[3], bend[9], local[3];
    cst_helix_place(m, p);
    cst_helix_bend(m, G);
    cst_apply3(e->frame, p, chord);
    cst_product3(e->frame, G, bend);
    cst_apply_transposed3(e->frame, force, local);
    add_diagonal(cst_dot3(force, chord), N->ww);
    add_symmetric(-0.5, force, chord, N->ww);
    cst_add_hat_product3(force, bend, N->wu);
    add_place(-1.0, m, local, N->uu);
}

void cst_helix_block_add(cst_helix_block *N, const cst_helix_element *e, double s, const double force[3], const double moment[3])
{
    const cst_helix_maps m = cst_helix_maps_at(e->u, s);
    double V[9], turning[9], local[3];
    const double half[3] = {0.5 * moment[0], 0.5 * moment[1], 0.5 * moment[2]};
    add_force(N, e, &m, force);
    cst_helix_turning(&m, V);
    cst_product3(e->frame, V, turning);
    cst_apply_transposed3(e->frame, moment, local);
    cst_add_hat_product3(half, turning, N->wu);
    add_turning(-1.0, &m, local, N->uu);
}

void cst_helix_block_add_field(cst_helix_block *N, const cst_helix_element *e, const cst_helix_material *material, int gauss,
                               const double field[3])
{
    const double *point = cst_helix_gauss_points(gauss), *weight = cst_helix_gauss_weights(gauss);
    for (int g = 0; g < gauss; ++g) {
        const cst_helix_maps m = cst_helix_maps_at(e->u, point[g] * material->length);
        const double mass = weight[g] * material->mass, force[3] = {mass * field[0], mass * field[1], mass * field[2]};
        add_force(N, e, &m, force);
    }
}
