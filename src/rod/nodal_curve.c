#include "rod/nodal_curve.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

/* Of the radius: how far a curve is off its chord where it begins to count. */
static const double STRAIGHT = 1e-3;

/* Of a ring: those of an edge's curve are four. */
enum { NODES_LEAST = 4 };

static const double *place_of(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int node)
{
    node = node < 0 ? node + rod->nodes : node >= rod->nodes ? node - rod->nodes : node;
    return shape->q + node * rod->stride;
}

/* D of a node. */
static void second_difference(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int node, double *out)
{
    const double *before = place_of(rod, shape, node - 1), *at = place_of(rod, shape, node),
                 *behind = place_of(rod, shape, node + 1);
    for (int k = 0; k < 3; ++k)
        out[k] = (behind[k] - at[k]) - (at[k] - before[k]);
}

bool cst_nodal_is_smooth(const cst_nodal_rod *rod)
{
    return rod->closed && rod->nodes >= NODES_LEAST;
}

/* From 0 to 1 as x does, and how fast: 1 or 0. */
static double ramp(double x, double *rate)
{
    *rate = x > 0.0 && x < 1.0 ? 1.0 : 0.0;
    return fmax(0.0, fmin(1.0, x));
}

static void find_bend(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, cst_nodal_bend *out)
{
    double most = 0.0; /* square of the longest D */
    *out = (cst_nodal_bend){.share = 0.0};
    for (int end = 0; end < 2; ++end) {
        second_difference(rod, shape, edge + end, out->at[end]);
        const double square = cst_dot3(out->at[end], out->at[end]);
        if (square > most) {
            most = square;
            out->joint = edge + end;
        }
    }
    const double little = 8.0 * STRAIGHT * rod->radius[edge], l = rod->edge_length;
    if (!(most > little * little && most < 2.0 * l * l)) {
        memset(out->at, 0, sizeof out->at);
        return;
    }
    const double longest = sqrt(most), *D = out->at[out->joint - edge];
    double rate, corner_rate;
    const double curve = ramp(longest / little - 1.0, &rate), no_corner = ramp(2.0 - most / (l * l), &corner_rate);
    out->share = curve * no_corner;
    for (int k = 0; k < 3; ++k)
        out->fades[k] = (rate * no_corner / (little * longest) - 2.0 * corner_rate * curve / (l * l)) * D[k];
    for (int k = 0; k < 6; ++k)
        out->at[k / 3][k % 3] *= out->share;
}

void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape)
{
    for (int i = 0; i < rod->edges && rod->smooth; ++i) /* otherwise they are zero */
        find_bend(rod, shape, i, shape->bend + i);
}

/* Factors of b D at both ends in what is taken off the chord, and their derivatives by the share of the edge. */
typedef struct off_chord {
    double f[2], d[2], dd[2];
} off_chord;

static off_chord off_chord_at(double share)
{
    const double u = share, v = 1.0 - u;
    return (off_chord){.f = {0.5 * u * v * v, 0.5 * u * u * v},
                       .d = {0.5 * v * (v - 2.0 * u), 0.5 * u * (2.0 * v - u)},
                       .dd = {u - 2.0 * v, v - 2.0 * u}};
}

/* At most |x''| / |x'|^2. x'' is linear in u; x' is in the convex hull of its control points c - E0/2, c + (E0 - E1)/2 and c + E1/2,
 * where c is the chord and E = b D, and so it is no shorter than the least of them is along c. (Edges of one length that turn by 60
 * degrees: 3/4 of c.) */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge)
{
    static const double SLOWEST = 0.5; /* of c: less is for edges that are stretched to several times the length of others */
    const cst_nodal_bend *bend = shape->bend + edge;
    if (bend->share == 0.0)
        return 0.0;
    const double *x0 = place_of(rod, shape, edge), *x1 = place_of(rod, shape, edge + 1);
    double most = 0.0, chord[3], along[2];
    cst_subtract3(x1, x0, chord);
    const double length2 = cst_dot3(chord, chord);
    for (int end = 0; end < 2; ++end) {
        const off_chord off = off_chord_at(end);
        double second[3];
        for (int k = 0; k < 3; ++k)
            second[k] = off.dd[0] * bend->at[0][k] + off.dd[1] * bend->at[1][k];
        most = fmax(most, cst_dot3(second, second));
        along[end] = 0.5 * cst_dot3(bend->at[end], chord) / length2;
    }
    const double slowest = fmax(SLOWEST, 1.0 + fmin(fmin(-along[0], along[0] - along[1]), along[1]));
    return sqrt(most) / (slowest * slowest * length2);
}

void cst_nodal_curve_at(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at, double *x,
                        double *tangent, double *curvature)
{
    const double *x0 = place_of(rod, shape, at->feature), *x1 = place_of(rod, shape, at->feature + 1);
    const double share = cst_nodal_share(rod, at->feature, at->s), l = rod->edge_length;
    const cst_nodal_bend *bend = shape->bend + at->feature;
    for (int k = 0; k < 3; ++k) {
        x[k] = (1.0 - share) * x0[k] + share * x1[k];
        if (tangent)
            tangent[k] = x1[k] - x0[k];
        if (curvature)
            curvature[k] = 0.0;
    }
    if (bend->share == 0.0) {
        if (tangent)
            cst_normalise3(tangent);
        return;
    }
    const off_chord off = off_chord_at(share);
    for (int k = 0; k < 3; ++k) {
        x[k] -= off.f[0] * bend->at[0][k] + off.f[1] * bend->at[1][k];
        if (tangent)
            tangent[k] = (tangent[k] - (off.d[0] * bend->at[0][k] + off.d[1] * bend->at[1][k])) / l;
        if (curvature)
            curvature[k] = -(off.dd[0] * bend->at[0][k] + off.dd[1] * bend->at[1][k]) / (l * l);
    }
}

void cst_nodal_find_weights(const cst_nodal_rod *rod, const cst_nodal_shape *shape, const cst_material_point *at,
                            cst_nodal_weights *out)
{
    const int edge = at->feature;
    const double share = cst_nodal_share(rod, edge, at->s);
    const cst_nodal_bend *bend = shape->bend + edge;
    if (bend->share == 0.0) {
        *out = (cst_nodal_weights){.nodes = 2, .node = {edge, edge + 1}, .weight = {1.0 - share, share}};
        return;
    }
    const off_chord off = off_chord_at(share);
    *out = (cst_nodal_weights){.joint = bend->joint};
    for (int k = 0; k < 3; ++k) {
        out->off[k] = (off.f[0] * bend->at[0][k] + off.f[1] * bend->at[1][k]) / bend->share;
        out->fades[k] = bend->fades[k];
    }
    const double f[2] = {bend->share * off.f[0], bend->share * off.f[1]};
    const double all[4] = {-f[0], 1.0 - share + 2.0 * f[0] - f[1], share - f[0] + 2.0 * f[1], -f[1]};
    for (int k = 0; k < 4; ++k) {
        out->node[out->nodes] = edge - 1 + k;
        out->weight[out->nodes++] = all[k];
    }
}
