/* Computes the positions of all elements in one sweep along the rod: each element starts where the previous one ends
 * (super_circle_element.h).
 *
 * Directions are complex numbers of modulus 1. The direction at the end of an element is the direction at its start times e^{i
 * phi}, where phi is the angle by which the tangent turns along the element. The power series f_0 and f_1
 * (super_circle_functions.h) give e^{i phi} = f_0 + i phi f_1. Every RESYNC elements, the direction is recomputed from the
 * tangent angle, so that rounding errors do not accumulate along long rods.
 *
 * For each element, the sweep takes 70 flops for position and motion, and 75 flops for the power series (130 if the tangent turns
 * by more than 1 rad along the element); it reads 48 bytes and writes 152 bytes. */
#include <math.h>

#include "rod/super_circle_rod.h"

enum { RESYNC = 32 };

/* Velocity, angular velocity and bias (acceleration at zero generalised accelerations) at the start of an element. */
typedef struct motion {
    cst_plane velocity, bias;
    double turn;
} motion;

static inline motion motion_behind(motion m, double l, double rate, cst_plane E, cst_plane E1, cst_plane E2)
{
    const double r = l * rate, ww = m.turn * m.turn, wr = 2.0 * m.turn * r, rr = r * r;
    return (motion){.velocity = {m.velocity.x - m.turn * E.y + r * E1.x, m.velocity.y + m.turn * E.x + r * E1.y},
                    .bias = {m.bias.x - ww * E.x - wr * E1.y + rr * E2.x, m.bias.y - ww * E.y + wr * E1.x + rr * E2.y},
                    .turn = m.turn + r};
}

static inline void set_motion(cst_circle_element *e, motion m)
{
    e->velocity = m.velocity;
    e->turn = m.turn;
    e->bias = m.bias;
}

static motion root_motion(const double *root_rate)
{
    return (motion){.velocity = {root_rate[0], root_rate[1]}, .turn = root_rate[2]};
}

void cst_circle_trace(const cst_super_circle *rod, const cst_circle_path *path, cst_circle_element *out)
{
    cst_plane z = {path->root[0], path->root[1]}, direction = {1.0, 0.0};
    motion m = root_motion(path->root_rate);
    double theta = path->root[2];
    for (int i = 0; i <= rod->elements; ++i) {
        if (i % RESYNC == 0 || i == rod->elements)
            direction = (cst_plane){cos(theta), sin(theta)};
        cst_circle_element *e = &out[i];
        e->theta = theta;
        e->start = z;
        e->direction = direction;
        set_motion(e, m);
        if (i == rod->elements) { /* the entry with the index `elements` is the end of the rod and has zero curvature */
            e->kappa = 0.0;
            cst_circle_series(0.0, e->f);
            return;
        }
        double l = rod->material[i].length, kappa = path->kappa[i], phi = kappa * l, f[CST_CIRCLE_SERIES];
        cst_circle_series(phi, f);
        for (int k = 0; k < CST_CIRCLE_SERIES; ++k)
            e->f[k] = f[k];
        e->kappa = kappa;

        cst_plane E = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E(phi, f)));
        cst_plane E1 = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E1(phi, f)));
        cst_plane E2 = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E2(phi, f)));
        z = cst_plane_sum(z, E);
        theta += phi;
        m = motion_behind(m, l, path->rate[i], E, E1, E2);
        direction = cst_plane_product(direction, (cst_plane){f[0], phi * f[1]});
    }
}

void cst_circle_trace_motion(const cst_super_circle *rod, const double *root_rate, const double *rate, cst_circle_element *out)
{
    motion m = root_motion(root_rate);
    for (int i = 0; i <= rod->elements; ++i) {
        cst_circle_element *e = &out[i];
        set_motion(e, m);
        if (i == rod->elements)
            return;
        double l = rod->material[i].length, phi = e->kappa * l;
        cst_plane E = cst_plane_scaled(l, cst_plane_product(e->direction, cst_circle_E(phi, e->f)));
        cst_plane E1 = cst_plane_scaled(l, cst_plane_product(e->direction, cst_circle_E1(phi, e->f)));
        cst_plane E2 = cst_plane_scaled(l, cst_plane_product(e->direction, cst_circle_E2(phi, e->f)));
        m = motion_behind(m, l, rate[i], E, E1, E2);
    }
}

void cst_circle_settle_shape(cst_super_circle *rod)
{
    cst_circle_path path = {rod->root, rod->kappa, rod->root_rate, rod->rate};
    cst_circle_trace(rod, &path, rod->now);
    for (int i = 0; i < rod->elements; ++i) {
        rod->mass[i] = cst_circle_mass_of(&rod->now[i], rod->material[i].length, rod->mass_per_length);
        cst_circle_masses_of(&rod->now[i], rod->material[i].length, &rod->masses[i]);
    }
    rod->placed = rod->linear = rod->now;
    rod->start_known = false;
}

void cst_circle_settle(cst_super_circle *rod)
{
    cst_circle_settle_shape(rod);
    rod->totals = cst_circle_totals_of(rod);
}
