/* Computes the times at which moving features meet. Four points a, b, c and d move on straight lines over the time t in [0, 1].
 * The four points lie in one plane if the cubic f(t) = det(b(t) - a(t), c(t) - a(t), d(t) - a(t)) is zero (Provot 1997). A vertex
 * d meets the triangle a b c at a time when the four points lie in one plane and d is inside the triangle. The edge a b meets the
 * edge c d at a time when the four points lie in one plane and the intersection of the two lines is on both edges. */
#ifndef CST_COLLIDE_FEATURE_SWEEP_H
#define CST_COLLIDE_FEATURE_SWEEP_H

/* Four moving points, each given at the times t = 0 and t = 1. */
typedef struct cst_moving_points {
    const double *at[4][2];
} cst_moving_points;

enum { CST_SWEEP_ROOTS = 5 };

/* Writes to `root`, in increasing order, the times in [0, 1] at which the four points lie in one plane. The list `root` contains
 * the times 0 and 1 if the four points lie, up to rounding, in one plane at these times. Returns their number. */
int cst_sweep_roots(const cst_moving_points *points, double *root);

/* Computes the positions of the four moving points at the time t. */
void cst_sweep_at(const cst_moving_points *points, double t, double x[4][3]);

#endif
