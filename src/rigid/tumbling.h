/* Rotation of a free rigid body: its angular momentum L is constant in the world frame, and its rotation R follows from L.
 * Symbols:
 *     `m = R^T*L`: angular momentum in the body frame.
 *     `J`: inverse of the inertia in the body frame.
 *     `h`: time step.
 *     `w`: angular velocity in the body frame.
 *     `R+`, `m+`: rotation and angular momentum at the end of the time step.
 *
 * The body rotates with a constant angular velocity in each time step. The constant angular velocity w turns the rotation R
 * into R+, and follows from the mean of the angular momenta at the start and at the end of the time step:
 *     `R+ = R exp(h w)`.
 *     `w = J (m + m+)/2`.
 *     `m+ = R+^T*L = exp(-h*w)*m`.
 *
 * The equations for R+, w and m+ are implicit in the angular velocity w; fixed-point iteration solves them to rounding accuracy.
 * The angular momentum in the world frame is conserved by construction. The kinetic energy is conserved for any time step h,
 * because the rotation exp(-h w) about the angular velocity w does not change the component of the angular momentum m along w. A
 * rotation about a principal axis is computed exactly; the error of other rotations is of second order in the time step. The time
 * integration is derived from the method of Simo and Wong (IJNME 31, 1991), which also conserves energy and angular momentum.
 *
 * If the body would rotate by a large angle, cst_tumble divides the given time into several time steps, so that the fixed-point
 * iteration converges. */
#ifndef CST_RIGID_TUMBLING_H
#define CST_RIGID_TUMBLING_H

/* Advances the rotation matrix R of a free rigid body by the given time.
 *     `mobility`: inverse of the inertia in the body frame (3 x 3).
 *     `fastest`: upper bound of the largest eigenvalue of `mobility`.
 *     `momentum`: angular momentum in the world frame. */
void cst_tumble(const double mobility[9], double fastest, const double momentum[3], double time, double R[9]);

#endif
