#include "rod/nodal_curve.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

/* STRAIGHT: if the Catmull-Rom curve (nodal_curve.h) deviates from the straight edge by at most STRAIGHT times the radius of the
 * rod, the centreline is the straight edge. If the curve deviates from the straight edge by at least 2 STRAIGHT times the radius,
 * and the corner measure is at most ROUND at both ends of the edge, the centreline is the Catmull-Rom curve. */
static const double STRAIGHT = 1e-3;

/* ROUND, CORNER: while the corner measure w (nodal_curve.h) grows from ROUND to CORNER, the blending factor falls from 1 to 0.
 * If the corner measure at an end of an edge is CORNER or more, the centreline is the straight edge. */
static const double ROUND = 0.5, CORNER = 1.0;

/* NODES_LEAST: the centreline of a closed rod with fewer than NODES_LEAST nodes consists of straight edges, because the smooth
 * curve of one edge depends on four nodes. */
enum { NODES_LEAST = 4 };

static const double *place_of(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int node)
{
    node = node < 0 ? node + rod->nodes : node >= rod->nodes ? node - rod->nodes : node;
    return shape->q + node * rod->stride;
}

bool cst_nodal_is_smooth(const cst_nodal_rod *rod)
{
    return rod->closed && rod->nodes >= NODES_LEAST;
}

/* Clips x to the interval [0, 1]. *rate receives the derivative of the clipped value with respect to x: 1 if x is between 0 and
 * 1, otherwise 0. */
static double ramp(double x, double *rate)
{
    *rate = x > 0.0 && x < 1.0 ? 1.0 : 0.0;
    return fmax(0.0, fmin(1.0, x));
}

/* Computes the corner measure w of a node (nodal_curve.h).
 * `before`, `behind`: edge vectors before and after the node.
 * `by_before`, `by_behind`: gradients of the corner measure with respect to the two edge vectors. */
static double corner_of(const double *before, const double *behind, double *by_before, double *by_behind)
{
    const double aa = cst_dot3(before, before), bb = cst_dot3(behind, behind), ab = cst_dot3(before, behind);
    const double both = sqrt(aa * bb), mean = 0.5 * (aa + bb);
    for (int k = 0; k < 3; ++k) {
        by_before[k] = (((aa - mean + ab) / aa) * before[k] - behind[k]) / both;
        by_behind[k] = (((bb - mean + ab) / bb) * behind[k] - before[k]) / both;
    }
    return (mean - ab) / both;
}

static void find_edge(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, double *out)
{
    cst_subtract3(place_of(rod, shape, edge + 1), place_of(rod, shape, edge), out);
}

static void find_bend(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge, cst_nodal_bend *out)
{
    const double little = 8.0 * STRAIGHT * rod->radius[edge];
    double e[3][3], by[2][2][3], longest = 0.0, sharpest = 0.0, rate, corner_rate;
    /* `bent`: 0 or 1, the end of the edge at which the second difference of the node positions is longer.
     * `sharp`: 0 or 1, the end of the edge at which the corner measure is larger.
     * `corners`: number of ends of the edge whose corner measure is CORNER or more. */
    int bent = 0, sharp = 0, corners = 0;
    *out = (cst_nodal_bend){.share = 0.0};
    for (int k = 0; k < 3; ++k)
        find_edge(rod, shape, edge - 1 + k, e[k]);
    for (int end = 0; end < 2; ++end) {
        cst_subtract3(e[end + 1], e[end], out->at[end]);
        const double length = sqrt(cst_dot3(out->at[end], out->at[end]));
        const double corner = corner_of(e[end], e[end + 1], by[end][0], by[end][1]);
        bent = length > longest ? end : bent;
        longest = fmax(longest, length);
        sharp = corner > sharpest ? end : sharp;
        sharpest = fmax(sharpest, corner);
        corners += !(corner < CORNER); /* a corner measure of NaN or infinity (edge of length zero) counts as a corner */
    }
    if (!(longest > little) || corners > 0) {
        memset(out->at, 0, sizeof out->at);
        return;
    }
    const double curve = ramp(longest / little - 1.0, &rate),
                 no_corner = ramp((CORNER - sharpest) / (CORNER - ROUND), &corner_rate);
    out->share = curve * no_corner;
    for (int k = 0; k < 3; ++k) {
        const double by_D = rate * no_corner * out->at[bent][k] / (little * longest),
                     by_w = -corner_rate * curve / (CORNER - ROUND);
        out->fades[bent][k] -= by_D;
        out->fades[bent + 1][k] += by_D;
        out->fades[sharp][k] += by_w * by[sharp][0][k];
        out->fades[sharp + 1][k] += by_w * by[sharp][1][k];
    }
    for (int k = 0; k < 6; ++k)
        out->at[k / 3][k % 3] *= out->share;
}

void cst_nodal_find_bends(const cst_nodal_rod *rod, cst_nodal_shape *shape)
{
    for (int i = 0; i < rod->edges && rod->smooth; ++i) /* otherwise the bends stay zero */
        find_bend(rod, shape, i, shape->bend + i);
}

/* Coefficients f of the smooth centreline of one edge. A point of the centreline is the point of the straight edge, minus f[0]
 * times the bending vector at the first node of the edge, minus f[1] times the bending vector at the second node. A bending
 * vector is the second difference of the node positions at a node, times the blending factor.
 * `d`, `dd`: first and second derivatives of the two coefficients f with respect to the curve parameter u (0 to 1 along the
 * edge). */
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

/* The curvature is at most |x''|/|x'|^2, with the derivatives x' and x'' of the position x with respect to the curve parameter.
 * Along an edge, the second derivative x'' of the position is linear in the curve parameter, so its norm is largest at one of the
 * two ends of the edge. The first derivative x' of the position lies in the convex hull of three control points. With the edge
 * vector c, and with E0 and E1, the second differences of the node positions at the two ends of the edge times the blending
 * factor, the control points are:
 *     `c-E0/2`. `c+(E0-E1)/2`. `c+E1/2`.
 *
 * Each of the three control points of the derivative x' has a component along the straight edge; the smallest of these three
 * components is a lower bound of the norm |x'|. If an edge and its two neighbours have equal lengths, and the rod turns by 60
 * degrees at both ends of the edge, the norm |x'| of the derivative is at least 3/4 of the edge length.
 *
 * The returned curvature bound must also bound the second derivative of the position with respect to the material coordinate s,
 * which grows by rod->edge_length along every edge. If the edge is longer than rod->edge_length, the curvature bound of the edge
 * is therefore multiplied by the square of the ratio of the two lengths. */
double cst_nodal_most_bent(const cst_nodal_rod *rod, const cst_nodal_shape *shape, int edge)
{
    /* SLOWEST: if the computed lower bound of the norm |x'| is less than SLOWEST times the edge length, SLOWEST times the edge
     * length is used instead */
    static const double SLOWEST = 0.5;
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
    const double stretch = length2 / (rod->edge_length * rod->edge_length);
    return fmax(1.0, stretch) * sqrt(most) / (slowest * slowest * length2);
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
    *out = (cst_nodal_weights){.nodes = 4};
    const double f[2] = {bend->share * off.f[0], bend->share * off.f[1]};
    const double all[4] = {-f[0], 1.0 - share + 2.0 * f[0] - f[1], share - f[0] + 2.0 * f[1], -f[1]};
    for (int k = 0; k < 4; ++k) {
        out->node[k] = edge - 1 + k;
        out->weight[k] = all[k];
    }
    for (int c = 0; c < 3; ++c) {
        out->off[c] = (off.f[0] * bend->at[0][c] + off.f[1] * bend->at[1][c]) / bend->share;
        for (int k = 0; k < 3; ++k) {
            out->fades[k][c] -= bend->fades[k][c];
            out->fades[k + 1][c] += bend->fades[k][c];
        }
    }
}
