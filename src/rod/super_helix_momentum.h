/* The momentum of a super helix is represented by point masses, so that a step changes the momentum only by the impulses on the
 * rod.
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
 * and curvatures give these velocities. The projection at the end of the step replaces the velocities of the point masses by
 * generalised velocities that have the same momentum in the final shape:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * Without the small matrix E that is added to the mass matrix, the projection would give those admissible velocities whose
 * difference from the velocities of the point masses has the least kinetic energy. Because a translation of the whole rod is
 * admissible in every shape, the step conserves linear momentum up to rounding, with any velocity correction c. The velocity
 * correction c makes the mean velocity of each mass over the step equal to its displacement divided by dt:
 *     `theta*w+ + (1-theta)*w = (r(q+)-r(q))/dt`.
 *
 * With the velocity correction c, the step also conserves angular momentum in two cases: for theta = 1/2, and for theta = 1 with
 * the Jacobian at the start of the step. In the second case:
 *     `hat(r)*w+ = hat(r+)*w+`.
 *
 * In a step linearised at its start, the velocity correction c contains half of the gyroscopic terms, and the projection to the
 * final shape adds the other half:
 *     `c = dt/(2*theta)*J'(v)*v`.
 *
 * In a step linearised at a guess of the velocities, the velocity correction c follows from the positions of the masses in the
 * guessed shape. The guess for the end of the step consists of the generalised velocities v_k, the velocities w_k of the point
 * masses and the final shape q+_k:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * In a step linearised at a guess of the velocities, the velocity correction c contains all gyroscopic terms. For theta = 1, the
 * mass matrix of a step linearised at a guess is the Gauss-Newton matrix of the displacements of the point masses.
 *
 * A section with the spin Omega about its tangent t and the spin inertia j has the angular momentum j Omega t, which also
 * changes with the direction of the tangent. With the matrix W that maps the generalised velocities to the angular velocity of
 * the section, the change of the angular momentum of the spin in a step is the generalised impulse:
 *     `W^T*j*(Omega+*t+-Omega*t)`.
 *
 * The matrix E, a small fraction of the step's stiffness dt^2 K, is added to the mass matrix for motions without any inertia,
 * such as the twist of a straight rod of radius zero. The matrix E added to the mass matrix acts only on rates of curvature, so
 * it does not change the linear and angular momentum of the rod.
 *
 * The projection does not change the velocity of a clamped root. On a clamped rod, the momentum that the projection adds (half of
 * the gyroscopic terms) comes from the clamp, so it is included in the force and the work of the clamp.
 *
 * The work `scheme` of the time-stepping scheme is computed from the kinetic energies at the start and at the end of the step and
 * from four works W_1 to W_4; the impulses on the rod are not needed. Symbols:
 *     `v_theta`: mean velocity over the step.
 *     `g`: gravity.
 *     `K`: elastic stiffness.
 *     `N`: geometric stiffness at the guess.
 *
 * The works of the step are:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|u+-u|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = v_theta^T*N*(v+-v_k)`.
 *
 * The work W_1 is the work of the change of momentum along the mean velocities v_theta. If theta = 1, and if the velocity
 * correction c and the matrix E are neglected, the change of the kinetic energy minus W_1 is never positive:
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
