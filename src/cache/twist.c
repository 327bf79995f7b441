/* The twist between two neighbouring vertices (Bergou et al. 2008, discrete parallel transport). The director d of the first
 * vertex is rotated by the smallest rotation that takes the tangent t of the first vertex to the tangent u of the second
 * vertex:
 *     `w = t x u`.
 *     `p = w x d`.
 *     `d+p+(w x p)/(1+t.u)`.
 *
 * The angle from the rotated director of the first vertex to the director of the second vertex, about the tangent of the second
 * vertex, divided by the distance of the two vertices, is the twist between them (rad/m). */
#include "cache/twist.h"

#include <math.h>

#include "math/vector3.h"

/* Computes the unit tangent at a vertex: the direction from the previous vertex to the next vertex. Returns false if there is
 * none. */
static bool tangent_at(const cst_vertex_row *vertex, int vertices, int k, double *out)
{
    const double *a = vertex[k > 0 ? k - 1 : 0].position, *b = vertex[k + 1 < vertices ? k + 1 : k].position;
    for (int c = 0; c < 3; c++)
        out[c] = b[c] - a[c];
    double length = sqrt(cst_dot3(out, out));
    for (int c = 0; c < 3; c++)
        out[c] /= length > 0.0 ? length : 1.0;
    return length > 0.0;
}

static double twist_between(const cst_vertex_row *from, const double *t, const cst_vertex_row *to, const double *u)
{
    double w[3], wd[3], wwd[3], carried[3], aside[3], ahead = 1.0 + cst_dot3(t, u);
    const double chord[3] = {to->position[0] - from->position[0], to->position[1] - from->position[1],
                             to->position[2] - from->position[2]};
    double length = sqrt(cst_dot3(chord, chord));
    if (!(ahead > 1e-6) || !(length > 0.0))
        return 0.0;
    cst_cross3(t, u, w);
    cst_cross3(w, from->director, wd);
    cst_cross3(w, wd, wwd);
    for (int c = 0; c < 3; c++)
        carried[c] = from->director[c] + wd[c] + wwd[c] / ahead;
    cst_cross3(carried, to->director, aside);
    return atan2(cst_dot3(aside, u), cst_dot3(carried, to->director)) / length;
}

void cst_twist_rates(const cst_vertex_row *vertex, int vertices, double *rate)
{
    for (int k = 0; k < vertices; k++)
        rate[k] = 0.0;
    double t[3], u[3], before = 0.0;
    if (vertices < 2 || !tangent_at(vertex, vertices, 0, t))
        return;
    for (int k = 0; k + 1 < vertices; k++) {
        bool known = tangent_at(vertex, vertices, k + 1, u) && cst_dot3(vertex[k].director, vertex[k].director) > 0.0 &&
                     cst_dot3(vertex[k + 1].director, vertex[k + 1].director) > 0.0;
        double here = known ? twist_between(&vertex[k], t, &vertex[k + 1], u) : 0.0;
        rate[k] = k > 0 ? 0.5 * (before + here) : here; /* the mean of both sides */
        rate[k + 1] = here;
        before = here;
        for (int c = 0; c < 3; c++)
            t[c] = u[c];
    }
}
