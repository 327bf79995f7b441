/* The momentum of a super helix as the momentum of point masses, and its exact change in a step.
 *
 * The mass matrix depends on the shape. Generalised velocities that stay constant while the shape changes do not conserve
 * momentum. To conserve momentum, the step is an equation for the velocities of point masses at the Gauss points. The Jacobian
 * that maps generalised velocities to the velocities of the point masses is evaluated at the shape where the step is linearised.
 * Symbols:
 *     `q`, `q+`: initial and final shape.
 *     `r`, `r+`: positions of the masses.
 *     `w`, `w+`: velocities of the masses.
 *     `m`: masses.
 *     `v`: generalised velocities in the state.
 *     `v+`: solution of the step.
 *     `J`: Jacobian of `w`.
 *     `c`: correction of `w+`.
 *     `M`: mass matrix.
 *     `E`: small addition to M.
 *
 * The equations of the step are:
 *     `J^T*m*(w+-w) = impulses`.
 *     `w+ = J v+ + c`.
 *     `w = J(q) v`.
 *
 * The velocities of the point masses at the end of the step are in general not admissible for the final shape: no rates of root
 * and curvatures give these velocities. At the end of the step, the velocities of the point masses are projected to the
 * generalised velocities that have the same momentum in the final shape:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * Without the small matrix E that is added to the mass matrix, the projection would give the admissible velocities nearest to
 * the velocities of the point masses, measured by kinetic energy. Translations are admissible in every shape, so the step
 * conserves linear momentum up to rounding, whatever the correction c of the velocities of the point masses is. The correction c
 * of the velocities of the point masses makes the mean velocity of each mass over the step equal to its displacement divided by
 * dt:
 *     `theta*w+ + (1-theta)*w = (r(q+)-r(q))/dt`.
 *
 * With the correction c of the velocities of the point masses, the step also conserves angular momentum in two cases: for theta
 * = 1/2, and for theta = 1 with the Jacobian at the start of the step. In the second case:
 *     `hat(r)*w+ = hat(r+)*w+`.
 *
 * In a step linearised at its start, the correction c of the velocities of the point masses is half of the gyroscopic term, and
 * the projection to the final shape adds the other half:
 *     `c = dt/(2*theta)*J'(v)*v`.
 *
 * In a step linearised at a guess of the velocities, the correction c of the velocities of the point masses follows from the
 * positions of the masses in the guessed shape. Let v_k be the guessed generalised velocities, w_k the guessed velocities of the
 * point masses and q+_k the guessed shape:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * A step linearised at a guess contains no gyroscopic term besides the correction c of the velocities of the point masses. For
 * theta = 1, the mass matrix of a step linearised at a guess is a Gauss-Newton matrix.
 *
 * The angular momentum of a section that spins about its tangent also changes with the direction of the tangent. Let Omega be the
 * spin of the section, t its tangent, j its spin inertia, and W the matrix that maps the generalised velocities to its angular
 * velocity. The generalised impulse that changes the angular momentum of the spin is:
 *     `W^T*j*(Omega+*t+-Omega*t)`.
 *
 * The matrix E that is added to the mass matrix is a small fraction of the step's stiffness dt^2 K. The matrix E added to the
 * mass matrix is needed for motions without any inertia (the twist of a straight rod without thickness). The matrix E added to
 * the mass matrix acts only on rates of curvature, so it does not change the linear and angular momentum of the rod.
 *
 * A clamped root is not projected. The clamp supplies the momentum that the projection of the velocities adds (half of the
 * gyroscopic terms), so this momentum counts in the force and the work of the clamp.
 *
 * The work `scheme` of the time-stepping scheme on the rod is computed without knowing any impulse, from the kinetic energies at
 * both ends of the step and from four works. Let v_theta be the mean velocity of the step, g gravity, K the elastic stiffness,
 * and N the geometric stiffness of a step linearised at the guess v_k of the velocities:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|u+-u|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = v_theta^T*N*(v+-v_k)`.
 *
 * For theta = 1, and without the correction c of the velocities of the point masses and the small matrix E added to the mass
 * matrix, the change of kinetic energy minus the work W_1 of the impulses is a loss:
 *     `-|w+-w|^2/2-|w+-J(q+)*v|^2/2`.
 *
 * The work `scheme` of the time-stepping scheme does not contain errors of contacts, constraints or clamps. */
#ifndef CST_ROD_SUPER_HELIX_MOMENTUM_H
#define CST_ROD_SUPER_HELIX_MOMENTUM_H

#include "rod/super_helix_element.h"

/* Positions, velocities and spins of the masses of an element at the start of a step. */
typedef struct cst_helix_start {
    double place[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX]; /* spin: Omega */
    cst_helix_field field;
} cst_helix_start;

#endif
