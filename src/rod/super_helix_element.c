/* Mass matrix and inertial forces of one element, as sums over its Gauss points. The sums over the Gauss points of the element
 * are computed in the frame of the element and then rotated to world axes. */
#include "rod/super_helix_element.h"

#include <stdbool.h>
#include <string.h>

static const double point3[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double weight3[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
static const double point4[4] = {0.069431844202973712, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
static const double weight4[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};

const double *cst_helix_gauss_points(int gauss)
{
    return gauss == 3 ? point3 : point4;
}

const double *cst_helix_gauss_weights(int gauss)
{
    return gauss == 3 ? weight3 : weight4;
}

/* Sums over the Gauss points that give the mass matrix of an element, in the frame of the element. */
typedef struct sums {
    double first[3], vu[9], wu[9];
    double ww[6], uu[6]; /* symmetric 3 x 3 matrices, stored as the entries 00 01 02 11 12 22 */
} sums;

static inline void add_square(double scale, const double *a, double *out)
{
    const double x = scale * a[0], y = scale * a[1], z = scale * a[2];
    out[0] += x * a[0];
    out[1] += x * a[1];
    out[2] += x * a[2];
    out[3] += y * a[1];
    out[4] += y * a[2];
    out[5] += z * a[2];
}

static inline void spread(const double *upper, double *full)
{
    full[0] = upper[0];
    full[1] = full[3] = upper[1];
    full[2] = full[6] = upper[2];
    full[4] = upper[3];
    full[5] = full[7] = upper[4];
    full[8] = upper[5];
}

static inline void add_mass(double mass, const double *p, const double *G, sums *sum)
{
    const double mp[3] = {mass * p[0], mass * p[1], mass * p[2]};
    for (int k = 0; k < 3; ++k)
        sum->first[k] += mp[k];
    for (int k = 0; k < 9; ++k)
        sum->vu[k] += mass * G[k];
    cst_add_hat_product3(mp, G, sum->wu);
    const double square = cst_dot3(mp, p);
    sum->ww[0] += square - mp[0] * p[0];
    sum->ww[1] -= mp[0] * p[1];
    sum->ww[2] -= mp[0] * p[2];
    sum->ww[3] += square - mp[1] * p[1];
    sum->ww[4] -= mp[1] * p[2];
    sum->ww[5] += square - mp[2] * p[2];
    for (int i = 0; i < 3; ++i)
        add_square(mass, G + 3 * i, sum->uu);
}

static inline void add_spin(double inertia, const double *t, const double *p, sums *sum)
{
    add_square(inertia, t, sum->ww);
    add_square(inertia, p, sum->uu);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            sum->wu[3 * i + j] += inertia * t[i] * p[j];
    }
}

/* Adds the force `scale` times `a` at a Gauss point to the generalised forces h of the element. */
static inline void add_force(const double *p, const double *G, double scale, const double *a, cst_helix_nonad *h)
{
    const double f[3] = {scale * a[0], scale * a[1], scale * a[2]};
    cst_add3(1.0, f, h->v);
    cst_add_cross3(p, f, h->w);
    for (int k = 0; k < 3; ++k)
        h->u[k] += G[k] * f[0] + G[3 + k] * f[1] + G[6 + k] * f[2];
}

/* Adds the inertial forces of the mass at one Gauss point.
 * `scale`: mass of the Gauss point, times the factor `share` of the inertial forces (cst_helix_mass_of).
 * `w`: angular velocity of the element's start, in the element's frame. */
static inline void add_inertia(const cst_helix_maps *m, double scale, const double *p, const double *G, const double *w,
                               const double *rate, cst_helix_nonad *h)
{
    double a[3], wp[3], bent[3];
    cst_helix_place_rate2(m, rate, a);
    cst_cross3(w, p, wp);
    cst_apply3(G, rate, bent);
    cst_add3(2.0, bent, wp);
    cst_add_cross3(w, wp, a); /* centripetal and Coriolis acceleration */
    add_force(p, G, scale, a, h);
}

/* Adds the inertial forces of the spin of a cross-section. Symbols:
 *     `t`: tangent at the cross-section.
 *     `j`: spin inertia, about the tangent.
 *     `omega`, `alpha`: angular velocity, angular acceleration.
 *     `Omega = omega.t`: spin about the tangent.
 *
 * The spin has the angular momentum j Omega t, with the spin inertia j and the spin Omega about the tangent t. The time
 * derivative of the angular momentum j Omega t of the spin has a part along the tangent and a part across it:
 *     `j*(alpha.t)*t+j*Omega*hat(omega)*t`. */
static inline void add_spin_inertia(const cst_helix_maps *m, double inertia, double share, const double *t, const double *w,
                                    const double *rate, cst_helix_nonad *h)
{
    double added[3], change[3], omega[3], moment[3], generalised[3];
    cst_helix_turning_times(m, 1.0, rate, added);
    cst_helix_turning_rate2(m, rate, change);
    cst_add_cross3(w, added, change);
    for (int k = 0; k < 3; ++k)
        omega[k] = w[k] + added[k];
    const double along = share * inertia * cst_dot3(change, t), spin = inertia * cst_dot3(omega, t);
    cst_cross3(omega, t, moment);
    for (int k = 0; k < 3; ++k)
        moment[k] = along * t[k] + spin * moment[k];
    cst_add3(1.0, moment, h->w);
    cst_helix_turning_times(m, -1.0, moment, generalised);
    cst_add3(1.0, generalised, h->u);
}

/* Computes the product R S R^T of a rotation R and a symmetric 3 x 3 matrix S, given by its upper triangle. */
static inline void turn_square(const double *R, const double *upper, double *out)
{
    double full[9], half[9];
    spread(upper, full);
    cst_product3(R, full, half);
    cst_product_transposed3(half, R, out);
    out[3] = out[1];
    out[6] = out[2];
    out[7] = out[5];
}

static void complete(const sums *sum, const cst_helix_material *material, const double *R, cst_helix_mass *M)
{
    M->m = material->mass;
    cst_apply3(R, sum->first, M->first);
    cst_product3(R, sum->vu, M->vu);
    cst_product3(R, sum->wu, M->wu);
    turn_square(R, sum->ww, M->ww);
    spread(sum->uu, M->uu);
}

void cst_helix_mass_of(const cst_helix_element *e, const cst_helix_material *material, int gauss, const double *rate,
                       double share, cst_helix_mass *M, cst_helix_nonad *inertia)
{
    const double *point = cst_helix_gauss_points(gauss), *weight = cst_helix_gauss_weights(gauss), *R = e->frame;
    const bool spins = material->spin > 0.0;
    sums sum = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    cst_helix_nonad h = {{0.0}, {0.0}, {0.0}};
    double w[3];
    cst_apply_transposed3(R, e->inertia_turn, w);
    for (int g = 0; g < gauss; ++g) {
        const cst_helix_maps m = cst_helix_maps_at(e->u, point[g] * material->length);
        const double mass = weight[g] * material->mass;
        double p[3], G[9], t[3];
        cst_helix_place(&m, p);
        cst_helix_bend(&m, G);
        if (M)
            add_mass(mass, p, G, &sum);
        if (inertia)
            add_inertia(&m, share * mass, p, G, w, rate, &h);
        if (spins) {
            cst_helix_tangent(&m, t);
            if (M)
                add_spin(mass * material->spin, t, p, &sum);
            if (inertia)
                add_spin_inertia(&m, mass * material->spin, share, t, w, rate, &h);
        }
    }
    if (M)
        complete(&sum, material, R, M);
    if (inertia) {
        cst_apply3(R, h.v, inertia->v);
        cst_apply3(R, h.w, inertia->w);
        memcpy(inertia->u, h.u, sizeof h.u);
    }
}

void cst_helix_momentum_of(const cst_helix_element *e, const cst_helix_material *material, int gauss,
                           const cst_helix_field *field, cst_helix_mass *M, cst_helix_nonad *momentum)
{
    const double *point = cst_helix_gauss_points(gauss), *weight = cst_helix_gauss_weights(gauss), *R = e->frame;
    sums sum = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    cst_helix_nonad all = {{0.0}, {0.0}, {0.0}};
    for (int g = 0; g < gauss; ++g) {
        const cst_helix_maps m = cst_helix_maps_at(e->u, point[g] * material->length);
        const double mass = weight[g] * material->mass, inertia = mass * material->spin;
        double p[3], G[9], t[3], local[3], moment[3], generalised[3];
        cst_helix_place(&m, p);
        cst_helix_bend(&m, G);
        add_mass(mass, p, G, &sum);
        cst_apply_transposed3(R, field->velocity[g], local);
        add_force(p, G, mass, local, &all);
        if (inertia > 0.0) {
            cst_helix_tangent(&m, t);
            add_spin(inertia, t, p, &sum);
            cst_apply_transposed3(R, field->spin[g], moment);
            for (int k = 0; k < 3; ++k)
                moment[k] *= inertia;
            cst_add3(1.0, moment, all.w);
            cst_helix_turning_times(&m, -1.0, moment, generalised);
            cst_add3(1.0, generalised, all.u);
        }
    }
    complete(&sum, material, R, M);
    cst_apply3(R, all.v, momentum->v);
    cst_apply3(R, all.w, momentum->w);
    memcpy(momentum->u, all.u, sizeof all.u);
}
