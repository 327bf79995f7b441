/* When do moving features meet? Four points move on straight lines over t in [0, 1]; they lie in one plane where
 *
 *     f(t) = det(b(t) - a(t), c(t) - a(t), d(t) - a(t)) = 0,
 *
 * a cubic (Provot 1997). A vertex d meets the triangle a b c, or the edge a b the edge c d, at a root at which the point is inside. */
#ifndef CST_COLLIDE_FEATURE_SWEEP_H
#define CST_COLLIDE_FEATURE_SWEEP_H

/* Four points, each at t = 0 and t = 1. */
typedef struct cst_moving_points {
    const double *at[4][2];
} cst_moving_points;

enum { CST_SWEEP_ROOTS = 5 };

/* Times in [0, 1] at which the points lie in one plane, increasing; 0 and 1 are among them where f is 0 to rounding. Returns how many. */
int cst_sweep_roots(const cst_moving_points *points, double *root);

/* The four points at the time t. */
void cst_sweep_at(const cst_moving_points *points, double t, double x[4][3]);

#endif
