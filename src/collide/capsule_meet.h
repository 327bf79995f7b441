/* Tests in double precision if two capsules, or a capsule and a box, may touch in the step (capsule_tree.h). */
#ifndef CST_COLLIDE_CAPSULE_MEET_H
#define CST_COLLIDE_CAPSULE_MEET_H

#include "collide/capsule_pairs.h"
#include "math/vector3.h"

/* The rounding error of a computed distance is assumed to be at most CST_MEET_ROUNDING times the sum of the lengths from which
 * the distance is computed. */
#define CST_MEET_ROUNDING 1e-12

/* Clamps x to [-1, 1]; NaN gives 1. */
static inline double cst_unit_share(double x)
{
    const double below = x < 1.0 ? x : 1.0;
    return below > -1.0 ? below : -1.0;
}

/* The distance between the axes of two capsules a and b is at least (r.d - |r.e_a| - |r.e_b|)/|r| (capsule_tree.h). Symbols:
 *     `r`: vector between the nearest points of the axes of the two capsules.
 *     `d`: vector between the two centres.
 *     `e_a`, `e_b`: vectors from the centres of the capsules to one end of their axes.
 *     `along`: `r.d - |r.e_a| - |r.e_b|`.
 *     `rr`, `dd`: squared lengths of the vectors r (between the axes) and d (between the centres). */
typedef struct cst_lines_apart {
    double r[3], along, rr, dd;
} cst_lines_apart;

static inline cst_lines_apart cst_lines_apart_of(const cst_capsule *a, const cst_capsule *b, const double *d, double aa,
                                                 double bb)
{
    cst_lines_apart out;
    const double ab = cst_dot3(a->half, b->half), ad = cst_dot3(a->half, d), bd = cst_dot3(b->half, d);
    const double det = aa * bb - ab * ab, least = 1e-12 * aa * bb;
    const double s0 = det > least ? cst_unit_share((ad * bb - ab * bd) / det) : 0.0;
    const double t = bb > 0.0 ? cst_unit_share((ab * s0 - bd) / bb) : 0.0,
                 s = aa > 0.0 ? cst_unit_share((ab * t + ad) / aa) : 0.0;
    for (int k = 0; k < 3; ++k)
        out.r[k] = d[k] + t * b->half[k] - s * a->half[k];
    out.along = cst_dot3(out.r, d) - fabs(cst_dot3(out.r, a->half)) - fabs(cst_dot3(out.r, b->half));
    out.rr = cst_dot3(out.r, out.r);
    out.dd = cst_dot3(d, d);
    return out;
}

/* The test of capsule_tree.h. */
static inline bool cst_capsules_meet(const cst_capsule *a, const cst_capsule *b)
{
    double d[3], w[3];
    cst_subtract3(b->center, a->center, d);
    cst_subtract3(b->way, a->way, w);
    const double reach = a->radius + b->radius + a->spread + b->spread + sqrt(cst_dot3(w, w));
    if (!(a->radius >= 0.0 && b->radius >= 0.0))
        return false;
    const cst_lines_apart lines = cst_lines_apart_of(a, b, d, cst_dot3(a->half, a->half), cst_dot3(b->half, b->half));
    /* both sides are squared, which avoids the square root of lines.rr */
    const double surely = reach + CST_MEET_ROUNDING * (reach + fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
    return !(lines.along > 0.0 && lines.along * lines.along > surely * surely * lines.rr);
}

static inline bool cst_capsule_meets_box(const cst_capsule *a, const cst_moving_box *b)
{
    double w[3];
    cst_subtract3(b->way, a->way, w);
    const double by = sqrt(cst_dot3(w, w)) + a->spread + b->spread + a->radius;
    if (!(a->radius >= 0.0) || !(b->box.low[0] <= b->box.high[0]))
        return false;
    for (int k = 0; k < 3; ++k) {
        const double low = a->center[k] - fabs(a->half[k]) - by, high = a->center[k] + fabs(a->half[k]) + by;
        const double about = CST_MEET_ROUNDING * (fabs(a->center[k]) + fabs(a->half[k]) + by);
        if (b->box.low[k] > high + about || b->box.high[k] < low - about)
            return false;
    }
    return true;
}

#endif
