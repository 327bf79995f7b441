#include "groom/bundle.h"

#include <math.h>
#include <string.h>

#include "collide/distance_segment.h"
#include "math/rotation_vector.h"

/* slack: the radius of a bundle's tube is increased by `slack` times the hair radius for each hexagonal ring of hairs. The error
 * of a fitted super-helix increases with the distance of its hair from the guide. */
static const double slack = 0.25;

/* end_weight: in the fit of equal elements to a hair, each of the two end joints has the weight end_weight * S / n (S: sum of the
 * weights of the inner joints, n: number of elements). */
static const double end_weight = 0.02;

/* Computes the positions of the hairs: a hexagonal lattice in the cross-section of the tube, ring by ring. */
static void place_hairs(cst_bundle *b)
{
    static const int way[6][2] = {{-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}};
    int made = 1;
    for (int ring = 1; made < b->hairs; ring++) {
        int i = ring, j = 0;
        for (int side = 0; side < 6; side++)
            for (int k = 0; k < ring && made < b->hairs; k++) {
                b->place[made][0] = b->apart * (i + 0.5 * j);
                b->place[made][1] = b->apart * sqrt(0.75) * j;
                made++;
                i += way[side][0];
                j += way[side][1];
            }
    }
}

double cst_bundle_tube(int rings, double radius, double apart)
{
    return rings * apart + (1.0 + rings * slack) * radius;
}

bool cst_bundle_begin(cst_bundle *b, int hairs, int elements, int pieces, double radius, double apart, cst_arena *arena)
{
    const size_t joints = (size_t)elements + 1, points = (size_t)elements * (size_t)pieces + 1;
    *b = (cst_bundle){.hairs = hairs, .elements = elements, .pieces = pieces, .apart = apart, .radius = radius};
    place_hairs(b);
    int rings = 0;
    for (int i = 0; i < hairs; i++) {
        while (3 * rings * (rings + 1) + 1 <= i)
            rings++;
        for (int k = 0; k < i; k++) {
            const double x = b->place[i][0] - b->place[k][0], y = b->place[i][1] - b->place[k][1];
            if (x * x + y * y < 2.0 * apart * apart) {
                b->neighbour[b->pairs][0] = i;
                b->neighbour[b->pairs++][1] = k;
            }
        }
    }
    b->tube = cst_bundle_tube(rings, radius, apart);
    b->joint = CST_TAKE(arena, double, 3 * joints);
    b->tangent = CST_TAKE(arena, double, 3 * joints);
    b->point = CST_TAKE(arena, double, 3 * points * ((size_t)hairs + 1));
    return !arena->failed;
}

/* Returns the ratio of the arc lengths of a hair and its guide in one element. */
static double stretch(const double *u, const double *place)
{
    return 1.0 + u[1] * place[1] - u[2] * place[0];
}

/* Computes the frame and the position of the guide at the arc length s from the start of an element with the curvatures u. */
static void along_element(const double *u, double s, const double *R, const double *x, double *R_there, double *x_there)
{
    const double turn[3] = {s * u[0], s * u[1], s * u[2]};
    double Q[9], step[3];
    cst_rotation_vector_mean(turn, (const double[]){s, 0.0, 0.0}, step);
    cst_apply3(R, step, x_there);
    cst_add3(1.0, x, x_there);
    cst_rotation_vector_exp(turn, Q);
    cst_product3(R, Q, R_there);
}

/* Divides the curve of a hair into equal elements. `place`: position of the hair in the cross-section of the tube. `first`:
 * output, arc length along the curve of the hair at which the first element begins, >= 0. `each`: output, length of an element.
 *
 * The curve of a hair consists of arcs, and its curvature jumps where two arcs meet. The curve has as many arcs as the hair has
 * elements, so each joint of the elements has a corresponding joint of the arcs. The equal elements are placed along the curve so
 * that a weighted sum is least: the sum of the squared distances, along the curve, between corresponding joints. In this fit of
 * equal elements, the weight of an inner joint is the square of the jump of the guide's curvature at the joint. The weight of the
 * first and the last joint is small, but it keeps the ends of the hair near the ends of the tube. */
static void cut_of(const cst_bundle *b, const cst_strand *guide, const double *place, double *first, double *each)
{
    const int n = b->elements;
    double mean = 0.0, gone = 0.0, m[3] = {0}, r[2] = {0};
    for (int i = 0; i < n - 1; i++) {
        double jump[3];
        cst_subtract3(guide->curvature + 3 * (i + 1), guide->curvature + 3 * i, jump);
        mean += cst_dot3(jump, jump) / n;
    }
    for (int i = 0; i <= n; i++) {
        double jump[3] = {0}, weight = end_weight * mean + 1e-12;
        if (i > 0 && i < n) {
            cst_subtract3(guide->curvature + 3 * i, guide->curvature + 3 * (i - 1), jump);
            weight = cst_dot3(jump, jump);
        }
        m[0] += weight;
        m[1] += weight * i;
        m[2] += weight * i * i;
        r[0] += weight * gone;
        r[1] += weight * i * gone;
        if (i < n)
            gone += guide->length / n * stretch(guide->curvature + 3 * i, place);
    }
    const double det = m[0] * m[2] - m[1] * m[1];
    *first = (m[2] * r[0] - m[1] * r[1]) / det;
    *each = (m[0] * r[1] - m[1] * r[0]) / det;
    if (!(*first >= 0.0)) {
        *first = 0.0;
        *each = r[1] / m[2];
    }
    *each = fmin(*each, (gone - *first) / n);
}

/* Computes the joints between the elements of a hair, its two ends, and the tangents at these points. Returns the length of the
 * hair. */
static double curve_of(const cst_bundle *b, const cst_strand *guide, const double *place)
{
    const int n = b->elements;
    const double l = guide->length / n;
    double gone = 0.0, first, each, R[9], x[3];
    cut_of(b, guide, place, &first, &each);
    memcpy(R, guide->frame, sizeof R);
    memcpy(x, guide->position, sizeof x);
    int joint = 0;
    for (int i = 0; i < n; i++) {
        const double *u = guide->curvature + 3 * i, longer = stretch(u, place);
        double R_there[9], x_there[3];
        while (joint <= n && (first + each * joint <= gone + l * longer || i == n - 1)) {
            along_element(u, (first + each * joint - gone) / longer, R, x, R_there, x_there);
            for (int k = 0; k < 3; k++) {
                b->tangent[3 * joint + k] = R_there[3 * k];
                b->joint[3 * joint + k] = x_there[k] + place[0] * R_there[3 * k + 1] + place[1] * R_there[3 * k + 2];
            }
            joint++;
        }
        gone += l * longer;
        along_element(u, l, R, x, R_there, x_there);
        memcpy(R, R_there, sizeof R);
        memcpy(x, x_there, sizeof x);
    }
    return n * each;
}

/* Returns the distance of two polylines p and q that run side by side. Segment i of the polyline p is compared only with the
 * segments i - 2 to i + 2 of the polyline q. */
static double nearest_of(const double *p, const double *q, int pieces)
{
    double least = INFINITY;
    for (int i = 0; i < pieces; i++)
        for (int k = i > 1 ? i - 2 : 0; k < pieces && k <= i + 2; k++)
            least = fmin(least, cst_segment_segment(p + 3 * i, p + 3 * (i + 1), q + 3 * k, q + 3 * (k + 1)).distance);
    return least;
}

/* Returns the largest distance of a point of a hair from the guide. Point i of the hair is compared only with the segments i - 3
 * to i + 2 of the guide. */
static double farthest_of(const double *p, const double *guide, int pieces)
{
    double most = 0.0;
    for (int i = 0; i <= pieces; i++) {
        double least = INFINITY;
        for (int k = i > 2 ? i - 3 : 0; k < pieces && k <= i + 2; k++) {
            const double *a = guide + 3 * k, s = cst_point_segment(p + 3 * i, a, a + 3);
            const double off[3] = {p[3 * i] - a[0] - s * (a[3] - a[0]), p[3 * i + 1] - a[1] - s * (a[4] - a[1]),
                                   p[3 * i + 2] - a[2] - s * (a[5] - a[2])};
            least = fmin(least, cst_dot3(off, off));
        }
        most = fmax(most, sqrt(least));
    }
    return most;
}

double cst_bundle_fill(cst_bundle *b, const cst_strand *guide, cst_strand *hair)
{
    const int pieces = b->elements * b->pieces;
    const size_t points = 3 * ((size_t)pieces + 1);
    double room = INFINITY, *middle = b->point + points * (size_t)b->hairs;
    for (int i = 0; i < b->hairs; i++) {
        hair[i].length = curve_of(b, guide, b->place[i]);
        cst_strand_fit(hair + i, b->elements, b->joint, b->tangent, b->point);
    }
    for (int i = 0; i < b->hairs; i++)
        cst_strand_points(hair + i, b->elements, b->pieces, b->point + points * (size_t)i);
    cst_strand_points(guide, b->elements, b->pieces, middle);
    for (int i = 0; i < b->hairs; i++)
        room = fmin(room, b->tube - b->radius - farthest_of(b->point + points * (size_t)i, middle, pieces));
    for (int k = 0; k < b->pairs; k++)
        room = fmin(room, nearest_of(b->point + points * (size_t)b->neighbour[k][0],
                                     b->point + points * (size_t)b->neighbour[k][1], pieces) -
                              2.0 * b->radius);
    return room;
}
