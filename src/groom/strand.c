#include "groom/strand.h"

#include <math.h>
#include <string.h>

#include "math/rotation_vector.h"

/* Columns t and any two across it. */
static void frame_along(const double *t, double *R)
{
    double d1[3] = {0}, d2[3];
    d1[fabs(t[0]) < 0.6 ? 0 : 1] = 1.0;
    cst_add3(-cst_dot3(d1, t), t, d1);
    cst_normalise3(d1);
    cst_cross3(t, d1, d2);
    for (int k = 0; k < 3; k++) {
        R[3 * k] = t[k];
        R[3 * k + 1] = d1[k];
        R[3 * k + 2] = d2[k];
    }
}

void cst_strand_from_tangents(cst_strand *strand, int elements, const double *tangent)
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
