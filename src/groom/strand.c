#include "groom/strand.h"

#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"

static const double pi = 3.14159265358979323846;

/* Computes a rotation matrix R whose first column is the unit vector t. The other two columns are arbitrary. */
static void frame_along(const double *t, double *R)
{
    double d1[3] = {0}, d2[3];
    d1[fabs(t[0]) < 0.6 ? 0 : 1] = 1.0;
    cst_add3(-cst_dot3(d1, t), t, d1);
    cst_normalise3(d1);
    cst_cross3(t, d1, d2);
    cst_columns3(t, d1, d2, R);
}

static void without_curl(cst_strand *strand, int elements, const double *tangent)
{
    const double l = strand->length / elements;
    double R[9];
    frame_along(tangent, R);
    memcpy(strand->frame, R, sizeof R);
    for (int i = 0; i < elements; i++) {
        const double *t = tangent + 3 * i, *after = t + 3;
        double *u = strand->curvature + 3 * i, across[3], turn[3], Q[9], next[9];
        cst_cross3(t, after, across);
        const double sine = cst_normalise3(across), angle = atan2(sine, cst_dot3(t, after));
        cst_apply_transposed3(R, across, u);
        u[0] = 0.0;
        for (int k = 0; k < 3; k++) {
            turn[k] = angle * u[k];
            u[k] = turn[k] / l;
        }
        cst_rotation_vector_exp(turn, Q);
        cst_product3(R, Q, next);
        memcpy(R, next, sizeof R);
    }
}

double cst_strand_curl_reach(const cst_strand_curl *curl)
{
    const double around = 2.0 * pi * curl->radius;
    return curl->radius > 0.0 ? fabs(curl->pitch) / sqrt(around * around + curl->pitch * curl->pitch) : 1.0;
}

static void axis_of(const double *tangent, int i, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = tangent[3 * i + k] + tangent[3 * (i + 1) + k];
    if (!(cst_normalise3(c) > 0.0))
        memcpy(c, tangent + 3 * i, 3 * sizeof *c);
}

/* Returns the angle (rad) by which the tangent of a curled hair rotates about the axis c of an element, from the start of the
 * element to its end. T is the tangent at the start of the element. At the end of the element, the tangent must have the same
 * angle to the axis `next` of the next element as to the axis c. In general, and apart from full turns, two rotation angles give
 * the tangent the required angle to the axis `next`; the function returns the one nearest to the angle `nominal`.
 *     `reach`: length of the helix along its axis, divided by its arc length. */
static double turns_of(const double *c, const double *next, const double *T, double reach, double nominal)
{
    double p[3], q[3];
    memcpy(p, T, sizeof p);
    cst_add3(-cst_dot3(T, c), c, p);
    const double sine = cst_normalise3(p);
    cst_cross3(c, p, q);
    const double A = cst_dot3(p, next), B = cst_dot3(q, next), size = sqrt(A * A + B * B);
    if (!(size > 1e-6 && sine > 1e-6))
        return nominal;
    const double wanted = (reach - cst_dot3(T, c) * cst_dot3(c, next)) / (sine * size);
    const double middle = atan2(B, A), off = acos(fmin(fmax(wanted, -1.0), 1.0));
    double best = nominal, least = INFINITY;
    for (int k = -1; k <= 1; k += 2) {
        const double phi = middle + k * off, nearest = phi + 2.0 * pi * floor((nominal - phi) / (2.0 * pi) + 0.5);
        if (fabs(nearest - nominal) < least) {
            least = fabs(nearest - nominal);
            best = nearest;
        }
    }
    return best;
}

void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent, const cst_strand_curl *curl)
{
    strand->curled = curl->radius > 0.0;
    if (!strand->curled) {
        without_curl(strand, elements, tangent);
        return;
    }
    const double l = strand->length / elements, around = 2.0 * pi * curl->radius, sense = curl->pitch < 0.0 ? -1.0 : 1.0;
    const double reach = cst_strand_curl_reach(curl), rate = sense * 2.0 * pi / sqrt(around * around + curl->pitch * curl->pitch);
    double c[3], next[3], T[3], R[9];
    axis_of(tangent, 0, c);
    cst_cross3(curl->outward, c, T);
    /* if the axis c of the first element is parallel to curl->outward, the cross product of c and curl->outward is zero; any
     * direction perpendicular to c replaces it */
    if (!(cst_normalise3(T) > 1e-6)) {
        frame_along(c, R);
        for (int k = 0; k < 3; k++)
            T[k] = R[3 * k + 1];
    }
    for (int k = 0; k < 3; k++)
        T[k] = reach * c[k] + sense * sqrt(1.0 - reach * reach) * T[k];
    frame_along(T, R);
    memcpy(strand->frame, R, sizeof R);
    for (int i = 0; i < elements; i++) {
        double turn[3], Q[9], after[9];
        axis_of(tangent, i + 1 < elements ? i + 1 : i, next);
        const double phi = i + 1 < elements ? turns_of(c, next, T, reach, rate * l) : rate * l;
        cst_apply_transposed3(R, c, turn);
        for (int k = 0; k < 3; k++) {
            turn[k] *= phi;
            strand->curvature[3 * i + k] = turn[k] / l;
        }
        cst_rotation_vector_exp(turn, Q);
        cst_product3(R, Q, after);
        memcpy(R, after, sizeof R);
        for (int k = 0; k < 3; k++)
            T[k] = R[3 * k];
        memcpy(c, next, sizeof c);
    }
}

void cst_strand_move_joints(double *tangent, int elements, double l, const double *move)
{
    for (int i = 0; i <= elements; i++) {
        const int before = i > 0 ? i - 1 : 0, after = i < elements ? i + 1 : elements;
        double *t = tangent + 3 * i, turn[3];
        cst_subtract3(move + 3 * after, move + 3 * before, turn);
        cst_add3(1.0 / ((after - before) * l), turn, t);
        cst_normalise3(t);
    }
}

void cst_strand_points(const cst_strand *strand, int elements, int pieces, double *point)
{
    const double l = strand->length / elements;
    double R[9];
    memcpy(R, strand->frame, sizeof R);
    memcpy(point, strand->position, 3 * sizeof *point);
    for (int i = 0; i < elements; i++) {
        const double *u = strand->curvature + 3 * i, *from = point + 3 * (i * pieces);
        for (int j = 1; j <= pieces; j++) {
            const double s = l * j / pieces, turn[3] = {s * u[0], s * u[1], s * u[2]};
            double along[3], *x = point + 3 * (i * pieces + j);
            cst_rotation_vector_mean(turn, (const double[]){s, 0.0, 0.0}, along);
            cst_apply3(R, along, x);
            cst_add3(1.0, from, x);
        }
        double turn[3] = {l * u[0], l * u[1], l * u[2]}, Q[9], next[9];
        cst_rotation_vector_exp(turn, Q);
        cst_product3(R, Q, next);
        memcpy(R, next, sizeof R);
    }
}

void cst_strand_fit(cst_strand *strand, int elements, const double *joint, double *tangent, double *work)
{
    enum { APPROACHES = 4 };
    const cst_strand_curl straight = {.radius = 0.0};
    double *move = work + 3 * (elements + 1);
    memcpy(strand->position, joint, sizeof strand->position);
    for (int round = 0; round < APPROACHES; round++) {
        cst_strand_from_tangents(strand, elements, tangent, &straight);
        cst_strand_points(strand, elements, 1, work);
        for (int i = 0; i < 3 * (elements + 1); i++)
            move[i] = joint[i] - work[i];
        cst_strand_move_joints(tangent, elements, strand->length / elements, move);
    }
    cst_strand_from_tangents(strand, elements, tangent, &straight);
}
