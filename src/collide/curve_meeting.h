/* Computes half the squared distance of two points, one on each of two curves, and its derivatives with respect to their
 * positions (formulas: distance_curve.h). */
#ifndef CST_COLLIDE_CURVE_MEETING_H
#define CST_COLLIDE_CURVE_MEETING_H

#include "collide/distance_curve.h"

/* Selects the curve on which a point and its derivatives are computed: the true curve or the quartic that approximates it.
 * CST_QUARTIC: points and derivatives come from the quartic that approximates the segment. CST_TRUE_PLACE: points and first
 * derivatives come from the true curve, second derivatives from the quartic that approximates the segment. CST_TRUE_BEND: points,
 * first and second derivatives come from the true curve. */
typedef enum cst_curve_truth { CST_QUARTIC = 0, CST_TRUE_PLACE, CST_TRUE_BEND } cst_curve_truth;

/* A pair of numbers: entry 0 belongs to curve a, entry 1 to curve b. Vector instructions evaluate the two curves together. */
typedef double cst_both __attribute__((vector_size(16)));

typedef struct cst_both_points {
    cst_both x[3], d[3],
        dd[3]; /* points of the two curves, and their first and second derivatives with respect to the position u */
} cst_both_points;

/* A point of curve a and a point of curve b, at the positions u[0] and u[1]. `r`: vector from b's point to a's point. `f`: half
 * its squared length. `g`, `h00`, `h11`, `h01`: first and second derivatives of half the squared distance `f` with respect to the
 * positions u[0] and u[1]. */
typedef struct cst_meeting {
    double u[2];
    cst_both_points at;
    double r[3], f, g[2];
    double h00, h11, h01;
    double speed[2]; /* squared lengths of the first derivatives */
} cst_meeting;

/* Coefficients of the quartics c0 + u c1 + u^2 c2 + u^3 c3 + u^4 c4 of two segments. */
typedef struct cst_quartics {
    cst_both c[5][3];
    cst_both twice2[3], thrice3[3], six3[3];
} cst_quartics;

static inline void cst_find_quartics(const cst_curve_side *side, cst_quartics *out)
{
    for (int i = 0; i < 2; ++i) {
        const cst_segment *segment = side[i].segment;
        double bulge[3];
        cst_segment_bulge(side[i].piece, segment, bulge);
        for (int k = 0; k < 3; ++k) {
            const double chord = segment->x[1][k] - segment->x[0][k], *m[2] = {segment->m[0], segment->m[1]};
            out->c[0][k][i] = segment->x[0][k];
            out->c[1][k][i] = m[0][k];
            out->c[2][k][i] = 3.0 * chord - 2.0 * m[0][k] - m[1][k] + bulge[k];
            out->c[3][k][i] = m[0][k] + m[1][k] - 2.0 * chord - 2.0 * bulge[k];
            out->c[4][k][i] = bulge[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        out->twice2[k] = 2.0 * out->c[2][k];
        out->thrice3[k] = 3.0 * out->c[3][k];
        out->six3[k] = 6.0 * out->c[3][k];
    }
}

static inline void cst_quartics_at(const cst_quartics *of, cst_both u, cst_both_points *out)
{
    const cst_both(*c)[3] = of->c, four = 4.0 * u, twelve = 12.0 * u;
    for (int k = 0; k < 3; ++k) {
        out->x[k] = c[0][k] + u * (c[1][k] + u * (c[2][k] + u * (c[3][k] + u * c[4][k])));
        out->d[k] = c[1][k] + u * (of->twice2[k] + u * (of->thrice3[k] + four * c[4][k]));
        out->dd[k] = of->twice2[k] + u * (of->six3[k] + twelve * c[4][k]);
    }
}

/* Replaces the point and the first derivative of curve i in `out`, which come from the quartic, by those of the true curve. If
 * `how` is CST_TRUE_BEND, the second derivative of the quartic is replaced by that of the true curve, too. For a straight
 * centreline piece, the quartic is exact and nothing is done. */
static inline void cst_curve_evaluate(const cst_curve_side *side, int i, double u, cst_curve_truth how, cst_both_points *out)
{
    if (side->piece->straight)
        return;
    double s, y[3], t[3], before[3], after[3], x[3], from, to;
    cst_side_at(side, u, &s, y, t);
    for (int k = 0; k < 3; ++k) {
        out->x[k][i] = y[k];
        out->d[k][i] = side->segment->h * t[k];
    }
    if (how == CST_TRUE_PLACE)
        return;
    static const double STEP = 1e-4;
    cst_side_at(side, u - STEP, &from, x, before);
    cst_side_at(side, u + STEP, &to, x, after);
    for (int k = 0; k < 3; ++k)
        out->dd[k][i] = side->segment->h * side->segment->h * (after[k] - before[k]) / (to - from);
}

static inline void cst_meet(const cst_curve_side *side, const cst_quartics *quartic, const double *u, cst_curve_truth how,
                            cst_meeting *out)
{
    cst_both_points *at = &out->at;
    const cst_both where = {u[0], u[1]};
    out->u[0] = u[0];
    out->u[1] = u[1];
    cst_quartics_at(quartic, where, at);
    for (int i = 0; i < 2 && how != CST_QUARTIC; ++i)
        cst_curve_evaluate(&side[i], i, u[i], how, at);
    const double x = at->x[0][0] - at->x[0][1], y = at->x[1][0] - at->x[1][1], z = at->x[2][0] - at->x[2][1];
    const cst_both slope = x * at->d[0] + y * at->d[1] + z * at->d[2], bend = x * at->dd[0] + y * at->dd[1] + z * at->dd[2];
    const cst_both speed = at->d[0] * at->d[0] + at->d[1] * at->d[1] + at->d[2] * at->d[2];
    out->r[0] = x;
    out->r[1] = y;
    out->r[2] = z;
    out->f = 0.5 * (x * x + y * y + z * z);
    out->g[0] = slope[0];
    out->g[1] = -slope[1];
    out->h00 = speed[0] + bend[0];
    out->h11 = speed[1] - bend[1];
    out->h01 = -(at->d[0][0] * at->d[0][1] + at->d[1][0] * at->d[1][1] + at->d[2][0] * at->d[2][1]);
    out->speed[0] = speed[0];
    out->speed[1] = speed[1];
}

#endif
