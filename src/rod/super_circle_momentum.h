/* The momentum of a super-circle rod, represented by point masses so that only the impulses on the rod change it.
 *
 * As for super helices (super_helix_momentum.h), the equations of the time step are written for the velocities of point masses.
 * The Jacobian of the velocities of the point masses is evaluated at the shape where the step is linearised. Symbols:
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
 *     `J^T m (w+-w) = impulses`.
 *     `w+ = J v+ + c`.
 *     `w = J(q) v`.
 *
 * In a step linearised at its start, the velocity correction c is:
 *     `c = dt/(2*theta)*J'(v)*v`.
 *
 * With theta = 1, the velocity correction c of a step linearised at its start is half of the gyroscopic terms dt J'(v) v; the
 * projection of the velocities at the end of the step adds the other half.
 *
 * In a step linearised at a guess of the velocities, the velocity correction c makes the mean velocity of each mass equal to its
 * guessed displacement divided by dt. The guess v_k of the generalised velocities gives the final shape q+_k, the velocities w_k
 * of the masses and the correction c:
 *     `c = w_k-J v_k`.
 *     `theta*w_k+(1-theta)*w = (r(q+_k)-r(q))/dt`.
 *
 * In general, the velocities w+ of the point masses are not admissible in the final shape: no velocity of the root and rates of
 * curvature produce them exactly. The projection at the end of the step replaces the velocities w+ of the point masses by
 * generalised velocities that have the same momentum in the final shape:
 *     `v = v+ + (M(q+)+E)^-1*J(q+)^T*m*(w+-J(q+)*v+)`.
 *
 * The projected velocities are the admissible velocities nearest to the velocities w+ of the point masses, measured by kinetic
 * energy, so the projection adds no energy. The matrix E that is added to the mass matrix M is a small fraction of the stiffness
 * term dt^2 K of the step (K: elastic stiffness). The added matrix E acts only on rates of curvature, so the addition of E to the
 * mass matrix does not change the momentum of the rod.
 *
 * The masses are at the four Lobatto points of an element, two of which are its ends. Mass matrix and weight, and in a step
 * linearised at its start also the inertial forces, are exact integrals over the elements (super_circle_element.h), except in the
 * projection. The projection sums its mass matrix over the Lobatto points, because it also sums the momentum over these points.
 * If the projection used the exact mass matrix, the quadrature error of the momentum, 1e-8, would be multiplied by the condition
 * number of the mass matrix, about 1e11.
 *
 * Two corrections follow the projection:
 * * If the root is free, a rigid motion is added, so that the final momentum (linear and angular) equals the initial momentum
 *   plus the impulses in the step, up to rounding.
 * * If the time stepping adds energy in the step (`scheme` > 0), the non-rigid part of the velocities is scaled down until the
 *   time stepping adds none. While a clamped root moves, the velocities are not scaled. A step without impulses can still gain
 *   energy if the rod moves almost rigidly: its non-rigid motion can then have less energy than the time stepping has added, so
 *   the scaling of the non-rigid velocities cannot remove the whole gain. If the velocities were not scaled down, free soft rods
 *   of 6 elements with curvatures up to 20 1/m would gain up to 9e-4 of their energy in 1 s.
 *
 * With theta = 1/2, the theta scheme remains of order 2 in the time step with both corrections of the velocities
 * (tests/test_super_circle_spin.c).
 *
 * The projection of the velocities w+ of the point masses does not change the velocity of a clamped root. If the rod is clamped,
 * the clamp supplies the momentum that the projection adds, so the code counts this momentum in the impulse of the clamp, which
 * determines the force and the work of the clamp.
 *
 * Symbols of the energy balance of a step:
 *     `v_theta`: mean velocity over the step.
 *     `g`: gravity and load per mass.
 *     `K`: elastic stiffness.
 *     `N`: geometric stiffness at the guess.
 *
 * The time stepping adds the energy `scheme` in a step:
 *     `scheme = kinetic+-kinetic-W_1-W_2+W_3-W_4`.
 *     `W_1 = v_theta^T*J^T*m*(w+-w)`.
 *     `W_2 = (theta-1/2)*|kappa+-kappa|_K^2`.
 *     `W_3 = m*g^T*(dt*J*v_theta-(r+-r))`.
 *     `W_4 = (theta*dt)^2*v_theta^T*N*(v+-v_k)`. */
#ifndef CST_ROD_SUPER_CIRCLE_MOMENTUM_H
#define CST_ROD_SUPER_CIRCLE_MOMENTUM_H

#include "rod/super_circle_element.h"

/* CST_CIRCLE_MASSES: number of point masses of an element without the mass at its start; two are inside the element, one is at
 * its end. */
enum { CST_CIRCLE_MASSES = 3 };

/* A vector, such as the velocity, for each point mass of an element; `first` belongs to the mass at the start of the element. */
typedef struct cst_circle_field {
    cst_plane at[CST_CIRCLE_MASSES], first;
} cst_circle_field;

/* Positions p of the point masses relative to the start of an element, in the frame of the element. `d`, `dd`: first and second
 * derivatives of the positions p with respect to the curvature kappa of the element. */
typedef struct cst_circle_masses {
    cst_plane p[CST_CIRCLE_MASSES], d[CST_CIRCLE_MASSES], dd[CST_CIRCLE_MASSES];
} cst_circle_masses;

void cst_circle_masses_of(const cst_circle_element *e, double l, cst_circle_masses *out);

/* Positions and velocities of the point masses of an element at the start of a step. */
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
