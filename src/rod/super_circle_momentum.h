/* The momentum of a super-circle rod is represented by point masses, so that a step changes the momentum only by the impulses on
 * the rod.
 *
 * As for super helices (super_helix_momentum.h), the step is an equation for the velocities of point masses. The Jacobian that
 * maps generalised velocities to the velocities of the point masses is evaluated at the shape where the step is linearised.
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
 *     `J^T m (w+-w) = impulses`.
 *     `w+ = J v+ + c`.
 *     `w = J(q) v`.
 *
 * In a step linearised at its start, the velocity correction c contains half of the gyroscopic terms, and the projection at the
 * end of the step adds the other half:
 *     `c = dt/(2*theta)*J'(v)*v`.
 *
 * In a step linearised at a guess of the velocities, the velocity correction c makes the mean velocity of each mass over the
 * guessed step equal to its displacement divided by dt. The guess for the end of the step consists of the generalised velocities
 * v_k, the velocities w_k of the point masses and the final shape q+_k:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * The velocities of the point masses at the end of the step are in general not admissible for the final shape: no rates of root
 * and curvatures give these velocities. The projection at the end of the step replaces the velocities of the point masses by
 * generalised velocities that have the same momentum in the final shape:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * The projection gives the admissible velocities nearest to the velocities of the point masses, measured by kinetic energy, so
 * the change of shape adds no energy. The masses are at the four Lobatto points of an element, which integrate polynomials up
 * to the fifth degree exactly; two of these points are the ends of the element. Except in the projection of the velocities at
 * the end of a step, the mass matrix, the inertial forces and the weight are exact integrals over the elements
 * (super_circle_element.h). The projection sums only a small quantity, of order dt, over the point masses: the final velocity
 * of a point mass minus the velocity that the generalised velocities v+ give it in the final shape. The mass matrix for the
 * projection is also a sum over the Lobatto points. If the projection used the exact mass matrix, an error of 1e-8 in the sum
 * over the Lobatto points would be multiplied by the condition number of the mass matrix, which is about 1e11. The projection
 * of the velocities to the final shape adds a small matrix E, a fraction of the step's stiffness, to the mass matrix M. The sum
 * M + E is invertible even if some motions have no inertia. The matrix E acts only on rates of curvature, so it does not change
 * the momentum of the rod.
 *
 * Two corrections follow:
 * * A rigid motion is added to the projected velocities, so that the linear and angular momentum of the rod equal those at the
 *   start of the step plus the impulses, up to rounding. Without the added rigid motion, the momentum of the rod would have an
 *   error of third order in dt for smooth motions. The error of the momentum has two sources: sums over the Lobatto points are
 *   not exact, and the velocity correction c neglects terms of higher order in dt.
 * * If the time-stepping scheme adds energy (its work `scheme` is positive), the non-rigid part of the velocities is scaled down
 *   until this work is zero. With the scaling of the velocities, a step without impulses never gains energy, unless the rod moves
 *   almost rigidly and there is nothing to scale down. Without the scaling of the velocities, free soft rods of 6 elements with
 *   curvatures up to 20 1/m gained up to 9e-4 of their energy in 1 s.
 *
 * The added rigid motion and the scaling of the velocities keep the order of the scheme, which is 2 with theta = 1/2
 * (tests/test_super_circle_spin.c).
 *
 * The projection does not change the velocity of a clamped root. On a clamped rod, the momentum that the projection adds (half of
 * the gyroscopic terms) comes from the clamp, so it is included in the force and the work of the clamp.
 *
 * The work `scheme` of the time-stepping scheme is computed from the kinetic energies at the start and at the end of the step and
 * from four works W_1 to W_4; the impulses on the rod are not needed. Symbols:
 *     `v_theta`: mean velocity over the step.
 *     `g`: gravity and load per mass.
 *     `K`: elastic stiffness.
 *     `N`: geometric stiffness at the guess.
 *
 * The works of the step are:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|kappa+-kappa|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = v_theta^T*N*(v+-v_k)`. */
#ifndef CST_ROD_SUPER_CIRCLE_MOMENTUM_H
#define CST_ROD_SUPER_CIRCLE_MOMENTUM_H

#include "rod/super_circle_element.h"

/* Number of point masses of an element, not counting the mass at its start: two masses inside the element and one at its end. */
enum { CST_CIRCLE_MASSES = 3 };

/* A vector quantity, such as the velocity, of each point mass of an element. */
typedef struct cst_circle_field {
    cst_plane at[CST_CIRCLE_MASSES], first;
} cst_circle_field;

/* Positions p of the masses relative to the start of an element, in its frame, and their derivatives d = dp/dkappa and dd =
 * d2p/dkappa2. */
typedef struct cst_circle_masses {
    cst_plane p[CST_CIRCLE_MASSES], d[CST_CIRCLE_MASSES], dd[CST_CIRCLE_MASSES];
} cst_circle_masses;

void cst_circle_masses_of(const cst_circle_element *e, double l, cst_circle_masses *out);

/* Positions and velocities of the masses of an element at the start of a step. */
typedef struct cst_circle_start {
    cst_circle_field place, velocity;
} cst_circle_start;

/* Mass, momentum and energy of a whole rod, with moments about its root. */
typedef struct cst_circle_totals {
    double mass, second; /* kg, kg m2 */
    cst_plane first;     /* mass times the vector (kg m) from the root to the centre of mass */
    cst_plane momentum;
    double moment; /* angular momentum */
    double kinetic;
} cst_circle_totals;

#endif
