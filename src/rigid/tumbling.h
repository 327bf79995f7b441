/* A freely rotating rigid body: its angular momentum L is constant in the world frame, and its rotation R follows from L.
 *
 * In the body frame, with m = R^T L and J the inverse of the inertia, over a time h, the scheme is
 *
 *     R+ = R exp(h w),     w = J (m + m+) / 2,     m+ = R+^T L = exp(-h w) m.
 *
 * The scheme uses the mean of the angular velocities at the start and at the end of the time h; this implicit equation is
 * solved to rounding accuracy. L is conserved by construction. Since exp(-h w) does not change w, m+ - m is perpendicular to w,
 * and the energy m^T J m / 2 changes by (m+ - m)^T w = 0. The scheme therefore conserves the energy for any time h. A rotation
 * about a principal axis is computed exactly; the error of other rotations is of second order in h. The scheme is related to
 * Simo and Wong 1991, IJNME 31, with the exponential instead of their update. Long times are divided into shorter ones, so that
 * the iteration converges and fast spin is resolved. */
#ifndef CST_RIGID_TUMBLING_H
#define CST_RIGID_TUMBLING_H

/* Replaces R by the rotation after `time`. `mobility`: the matrix J (3 x 3) in the axes of the body; `fastest`: an upper bound of
 * its largest eigenvalue. */
void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9]);

#endif
