/* The momentum of a super helix, represented by point masses so that only the impulses on the rod change it.
 *
 * The mass matrix depends on the shape, so constant generalised velocities do not conserve momentum while the shape changes. To
 * conserve momentum, the equations of the time step are written for the velocities of point masses at the Gauss points. The
 * Jacobian of the velocities of the point masses is evaluated at the shape where the step is linearised. Symbols:
 *     `q`, `q+`: initial and final shape.
 *     `r`, `r+`: positions of the masses.
 *     `w`, `w+`: velocities of the masses.
 *     `m`: masses.
 *     `v`: generalised velocities in the state.
 *     `v+`: solution of the step.
 *     `J`: Jacobian of `w`.
 *     `c`: correction of `w+`.
 *     `M`: mass matrix.
 *     `E`: small matrix that makes M + E invertible if some motions have no inertia.
 *
 * The equations of the step for the final velocities w+ of the point masses are:
 *     `J^T*m*(w+-w) = impulses`.
 *     `w+ = J v+ + c`.
 *     `w = J(q) v`.
 *
 * In general, the velocities w+ of the point masses are not admissible in the final shape: no velocity of the root and rates of
 * curvature produce them exactly. The projection at the end of the step replaces the velocities w+ of the point masses by
 * generalised velocities that have the same momentum in the final shape:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * The matrix E that is added to the mass matrix M is a small fraction of the stiffness term dt^2 K of the step. The added matrix
 * E is needed for motions without inertia, such as the twist of a straight rod of radius zero. The added matrix acts only on
 * rates of curvature, so the addition of E to the mass matrix does not change the linear and angular momentum of the rod. Except
 * for the effect of E, the projected velocities are the admissible velocities nearest to the velocities w+ of the point masses,
 * measured by kinetic energy.
 *
 * A translation of the whole rod is admissible in every shape, so the step conserves linear momentum up to rounding. The velocity
 * correction c makes the mean velocity of each mass over the step equal to its displacement divided by dt:
 *     `theta*w+ + (1-theta)*w = (r(q+)-r(q))/dt`.
 *
 * With the velocity correction c, the theta scheme (docs/world.md) also conserves angular momentum in two cases: for theta = 1/2,
 * and for theta = 1 if the Jacobian is evaluated at the start of the step.
 *
 * In a step linearised at its start with theta = 1, the velocity correction c contains half of the gyroscopic terms dt J'(v) v,
 * and the projection to the final shape adds the other half. For any theta, the velocity correction c of a step linearised at its
 * start is:
 *     `c = dt/(2*theta)*J'(v)*v`.
 *
 * In a step linearised at a guess of the velocities, the gyroscopic terms enter the equation of the step only through the
 * velocity correction c. The guess v_k of the generalised velocities gives the final shape q+_k, the velocities w_k of the masses
 * and the correction c:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * The spin of a cross-section about its tangent also has an angular momentum. Symbols:
 *     `Omega`, `Omega+`: initial and final spin about the tangent.
 *     `t`, `t+`: initial and final tangent.
 *     `j`: spin inertia.
 *     `W`: matrix from generalised velocities to the angular velocity of the cross-section.
 *
 * The spin of a cross-section has the angular momentum j Omega t. The generalised impulse that changes the spin's angular
 * momentum is:
 *     `W^T*j*(Omega+*t+-Omega*t)`.
 *
 * The projection of the velocities w+ of the point masses does not change the velocity of a clamped root. If the rod is clamped,
 * the clamp supplies the momentum that the projection adds, so the code counts this momentum in the impulse of the clamp, which
 * determines the force and the work of the clamp.
 *
 * Symbols of the energy balance of a step:
 *     `v_theta`: mean velocity over the step.
 *     `g`: gravity.
 *     `K`: elastic stiffness.
 *     `N`: geometric stiffness at the guess.
 *
 * The time stepping adds the energy `scheme` in a step. If the rod is clamped, the code also subtracts the work that the clamp
 * does in the projection:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|u+-u|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = (theta*dt)^2*v_theta^T*N*(v+-v_k)`. */
#ifndef CST_ROD_SUPER_HELIX_MOMENTUM_H
#define CST_ROD_SUPER_HELIX_MOMENTUM_H

#include "rod/super_helix_element.h"

/* Positions, velocities and spins of the point masses of an element at the start of a step. */
typedef struct cst_helix_start {
    double place[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX]; /* spin: Omega */
    cst_helix_field field;
} cst_helix_start;

#endif
