/* The momentum of a super helix as the momentum of point masses, and its exact change in a step.
 *
 * The mass matrix depends on the shape. Generalised velocities that stay constant while the shape changes do not conserve
 * momentum. So the step is an equation for the velocities of the masses m at the Gauss points: w at the start of the step and w+
 * at its end. The Jacobian J maps generalised velocities to mass velocities; it is evaluated at the shape where the step is
 * linearised. The final mass velocities w+ are those of the generalised velocities v+, plus a correction c:
 *     `J^T*m*(w+-w) = impulses`.
 *     `w+ = J v+ + c`.
 *     `w = J(q) v`.
 *
 * The velocities w+ are in general not admissible for the shape q+ at the end: no rates of root and curvatures give these
 * velocities. The step therefore ends with a projection of the velocities w+ to the admissible velocities v that have the same
 * momentum:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * Without the small matrix E, the projected velocities would be the admissible velocities nearest to w+, measured by kinetic
 * energy. Translations are admissible in every shape, so linear momentum is conserved up to rounding for any correction c. The
 * correction c is chosen such that the mean velocity of each mass over the step is its displacement divided by dt, with the
 * positions r of the masses:
 *     `theta*w+ + (1-theta)*w = (r(q+)-r(q))/dt`.
 *
 * With this choice of the correction c, angular momentum is also conserved in two cases: for theta = 1 with the Jacobian at the
 * start of the step, because r x w+ = r+ x w+, and for theta = 1/2.
 *
 * In a step linearised at its start, the correction is c = dt/(2 theta) J'(v) v, which is half of the gyroscopic term. The other
 * half of the gyroscopic term comes from the projection to the final shape. In a step linearised at a guess v_k, the correction
 * follows from the positions of the masses in the guessed shape q+_k:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * A step linearised at a guess contains no gyroscopic term besides the correction c, and for theta = 1 its mass matrix is a
 * Gauss-Newton matrix.
 *
 * The spin Omega of a section about its tangent t has the angular momentum j Omega t, with the spin inertia j; this vector also
 * changes with the direction of the tangent. The generalised impulse that changes the angular momentum of the spin is W^T j
 * (Omega+ t+ - Omega t), where W maps the generalised velocities to the angular velocity and + marks the end of the step. The
 * matrix E is a small fraction of the step's stiffness dt^2 K; it is needed for motions without any inertia (the twist of a
 * straight rod without thickness). The matrix E acts only on rates of curvature, so it does not change the linear and angular
 * momentum of the rod.
 *
 * A clamped root is held during the projection. The momentum that the projection adds (half of the gyroscopic terms) comes from
 * the clamp, and counts in the force and the work of the clamp.
 *
 * The work `scheme` of the time-stepping scheme on the rod is computed without knowing any impulse, from the kinetic energies at
 * both ends of the step and from four works:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|u+-u|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = v_theta^T*N*(v+-v_k)`.
 *
 * In the works W_1 to W_4, v_theta is the mean velocity of the step, g is gravity, and N is the geometric stiffness of a step
 * linearised at a guess v_k. For theta = 1 and without the matrix E and the correction c, the change of kinetic energy minus the
 * work W_1 is a loss:
 *     `-|w+-w|^2/2-|w+-J(q+)*v|^2/2`.
 *
 * The work `scheme` does not contain errors of contacts, constraints or clamps. */
#ifndef CST_ROD_SUPER_HELIX_MOMENTUM_H
#define CST_ROD_SUPER_HELIX_MOMENTUM_H

#include "rod/super_helix_element.h"

/* Positions, velocities and spins of the masses of an element at the start of a step. */
typedef struct cst_helix_start {
    double place[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX]; /* spin: Omega */
    cst_helix_field field;
} cst_helix_start;

#endif
