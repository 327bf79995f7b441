/* The sweep that places a rod: each element starts where the last one ends (super_circle_element.h has the formulas).
 *
 * Directions are turned on from element to element by e^{i phi}, which the special functions give for nothing, and taken from
 * theta by cosine and sine every RESYNC elements, so that rounding does not add up along long rods. Cost per element: about 75
 * flops for the functions (130 if the element turns by more than 1 rad), 70 for the chain; 48 bytes read, 160 written. */
#include <math.h>

#include "rod/super_circle_rod.h"

enum { RESYNC = 32 };

void cst_circle_trace(const cst_super_circle *rod, const cst_circle_path *path, cst_circle_element *out)
{
    cst_plane z = {path->root[0], path->root[1]}, direction = {1.0, 0.0};
    cst_plane velocity = {path->root_rate[0], path->root_rate[1]}, bias = {0.0, 0.0};
    double theta = path->root[2], turn = path->root_rate[2], inertia_turn = path->inertia_root_rate[2];
    for (int i = 0; i <= rod->elements; ++i) {
        if (i % RESYNC == 0 || i == rod->elements)
            direction = (cst_plane){cos(theta), sin(theta)};
        cst_circle_element *e = &out[i];
        e->theta = theta;
        e->start = z;
        e->direction = direction;
        e->velocity = velocity;
        e->turn = turn;
        e->inertia_turn = inertia_turn;
        e->bias = bias;
        if (i == rod->elements) { /* the end: straight on */
            e->kappa = 0.0;
            cst_circle_series(0.0, e->f);
            return;
        }
        double l = rod->material[i].length, kappa = path->kappa[i], phi = kappa * l, f[CST_CIRCLE_SERIES];
        cst_circle_series(phi, f);
        for (int k = 0; k < CST_CIRCLE_SERIES; ++k)
            e->f[k] = f[k];
        e->kappa = kappa;

        /* Rates times l, so that one factor l is left for all three vectors. */
        double rate = l * path->rate[i], inertia_rate = l * path->inertia_rate[i];
        cst_plane E = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E(phi, f)));
        cst_plane E1 = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E1(phi, f)));
        cst_plane E2 = cst_plane_scaled(l, cst_plane_product(direction, cst_circle_E2(phi, f)));
        double ww = inertia_turn * inertia_turn, wr = 2.0 * inertia_turn * inertia_rate, rr = inertia_rate * inertia_rate;
        z = cst_plane_sum(z, E);
        theta += phi;
        velocity = (cst_plane){velocity.x - turn * E.y + rate * E1.x, velocity.y + turn * E.x + rate * E1.y};
        turn += rate;
        bias = (cst_plane){bias.x - ww * E.x - wr * E1.y + rr * E2.x, bias.y - ww * E.y + wr * E1.x + rr * E2.y};
        inertia_turn += inertia_rate;
        direction = cst_plane_product(direction, (cst_plane){f[0], phi * f[1]});
    }
}

cst_plane cst_circle_first_moment(const cst_super_circle *rod)
{
    cst_plane sum = {0.0, 0.0};
    for (int i = 0; i < rod->elements; ++i) {
        const cst_circle_element *e = &rod->now[i];
        double l = rod->material[i].length;
        sum = cst_plane_add(sum, l, e->start);
        sum = cst_plane_add(sum, l * l, cst_plane_product(e->direction, cst_circle_P(e->kappa * l, e->f)));
    }
    return sum;
}

void cst_circle_settle(cst_super_circle *rod)
{
    cst_circle_path path = {rod->root, rod->kappa, rod->root_rate, rod->rate, rod->root_rate, rod->rate};
    cst_circle_trace(rod, &path, rod->now);
    rod->placed = rod->linear = rod->now;
    if (rod->load.x != 0.0 || rod->load.y != 0.0)
        rod->first_moment = cst_circle_first_moment(rod);
}
