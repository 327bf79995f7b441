/* A rigid body that turns freely: its angular momentum L stands still in space, its rotation R follows.
 *
 * In the body, with m = R^T L and J the inverse of its inertia, over a time h:
 *
 *     R+ = R exp(h w),     w = J (m + m+) / 2,     m+ = R+^T L = exp(-h w) m
 *
 * an implicit mean of the angular velocities at both ends, solved to rounding. L is kept by construction; m+ - m is across w,
 * because exp(-h w) leaves w alone, so the energy m . J m / 2 changes by (m+ - m) . w = 0: it is kept as well, whatever h. A turn
 * about a principal axis is exact, all else is of second order (elementary; a relative of Simo and Wong 1991, IJNME 31, with the
 * exponential in place of their update). Long times are cut so that it converges and follows fast spin. */
#ifndef CST_RIGID_TUMBLING_H
#define CST_RIGID_TUMBLING_H

/* R <- where it is after `time`. mobility: J, (3 x 3) in the axes of the body; fastest: a bound on its largest eigenvalue. */
void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9]);

#endif
