/* A freely rotating rigid body: its angular momentum L is constant in the world frame, and its rotation R follows from L.
 *
 * In the body frame, the angular momentum is m = R^T L, and J is the inverse of the inertia. The scheme for a time h rotates the
 * body with a constant angular velocity w, which belongs to the mean of the angular momenta m at the start and m+ at the end:
 *     `R+ = R exp(h w)`.
 *     `w = J (m + m+)/2`.
 *     `m+ = R+^T*L = exp(-h*w)*m`.
 *
 * The scheme is implicit, because it uses the mean of the angular velocities at the start and at the end of the time h; its
 * equation is solved to rounding accuracy. The angular momentum L is conserved by construction. The kinetic energy m^T J m / 2
 * changes by (m+ - m)^T w, which is zero, because the rotation exp(-h w) from m to m+ does not change the component of m along w.
 * The scheme therefore conserves the energy for any time h. A rotation about a principal axis is computed exactly; the error of
 * other rotations is of second order in h. The scheme is related to Simo and Wong 1991, IJNME 31, with the exponential instead of
 * their update. Long times are divided into shorter ones, so that the iteration converges and fast spin is resolved. */
#ifndef CST_RIGID_TUMBLING_H
#define CST_RIGID_TUMBLING_H

/* Replaces the rotation matrix R of the body by its rotation after `time`. `mobility`: the inverse (3 x 3) of the inertia in the
 * axes of the body; `fastest`: an upper bound of its largest eigenvalue. */
void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9]);

#endif
