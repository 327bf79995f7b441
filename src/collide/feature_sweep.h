/* Times at which moving vertices, edges and faces meet.
 *
 * Four points a, b, c and d move on straight lines during the time t in [0, 1]. The four points lie in one plane at the zeros
 * of a cubic (Provot 1997):
 *     `f(t) = det(b(t)-a(t), c(t)-a(t), d(t)-a(t))`.
 *
 * A vertex d meets the triangle a b c at a time when the points a, b, c and d lie in one plane and d is inside the triangle. The
 * edge a b meets the edge c d at a time when the points a, b, c and d lie in one plane and the lines of the two edges intersect
 * on both edges. */
#ifndef CST_COLLIDE_FEATURE_SWEEP_H
#define CST_COLLIDE_FEATURE_SWEEP_H

/* Positions of four moving points at the start (t = 0) and at the end (t = 1) of their motion. */
typedef struct cst_moving_points {
    const double *at[4][2];
} cst_moving_points;

enum { CST_SWEEP_ROOTS = 5 };

/* Writes to `root`, in increasing order, the times in [0, 1] at which the four points lie in one plane. The time 0 or 1 is also
 * written if the four points then lie in one plane up to rounding errors. Returns the number of times. */
int cst_sweep_roots(const cst_moving_points *points, double *root);

void cst_sweep_at(const cst_moving_points *points, double t, double x[4][3]);

#endif
