/* A freely rotating rigid body: its angular momentum L is constant in the world frame, and its rotation R follows from L.
 * Symbols:
 *     `m = R^T*L` (body frame).
 *     `J`: inverse inertia, body frame.
 *     `h`: time step.
 *     `w`: angular velocity, body frame.
 *
 * The scheme rotates the body with a constant angular velocity, computed from the mean of the angular momenta at the start and at
 * the end of the time step:
 *     `R+ = R exp(h w)`.
 *     `w = J (m + m+)/2`.
 *     `m+ = R+^T*L = exp(-h*w)*m`.
 *
 * The scheme is implicit, because the angular velocity depends on the angular momentum at the end of the time step; its equation
 * is solved to rounding accuracy. The angular momentum in the world frame is conserved by construction. The kinetic energy is
 * conserved for any time step, because the rotation about the angular velocity w does not change the component along w of the
 * angular momentum m (in the body frame). A rotation about a principal axis is computed exactly; the error of other rotations is
 * of second order in the time step. The scheme is related to that of Simo and Wong 1991, IJNME 31, but uses the exponential map
 * instead of their update of the rotation. A long time is divided into several time steps, so that the fixed-point iteration
 * converges and a fast rotation is resolved. */
#ifndef CST_RIGID_TUMBLING_H
#define CST_RIGID_TUMBLING_H

/* Replaces the rotation matrix R of a freely rotating body by its rotation matrix after the given time. The argument `mobility`
 * (3 x 3) is the inverse of the inertia in the axes of the body, and `fastest` is an upper bound of the largest eigenvalue of
 * this inverse. */
void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9]);

#endif
