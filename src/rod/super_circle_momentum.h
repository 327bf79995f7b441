/* The momentum of a super-circle rod as the momentum of point masses, and its exact change in a step.
 *
 * As for super helices (super_helix_momentum.h), the step is an equation for the velocities of the masses, w at its start and w+
 * at its end, where J is the Jacobian at the place of linearisation. This equation is
 *
 *     J^T m (w+ - w) = impulses,     w+ = J v+ + c,     w = J(q) v.
 *
 *     Linearised at the start: c = dt/(2 theta) J'(v) v, half the gyroscopic terms h; the other half comes from the projection
 *     below.
 *     At a guess v_k: c = w_k - J v_k, w_k = ((r(q+_k) - r(q))/dt - (1 - theta) w)/theta from the mass displacements.
 *
 * The velocities w+ are in general not admissible for the shape q+ at the end. The velocities w+ are projected to the admissible
 * velocities with the same momentum:
 *
 *     v = v+ + (M(q+) + E)^-1 J(q+)^T m (w+ - J(q+) v+).
 *
 * The projected velocities are the nearest ones in kinetic energy, so the change of shape adds no energy. The masses are at the
 * four Lobatto points of an element, which integrate polynomials up to the fifth degree exactly; two of these points are the
 * ends of the element. In all other equations of a step, M, h and the weight are exact integrals (super_circle_element.h). The
 * projection sums only the difference w+ - J(q+) v+, which is O(dt), over the Lobatto points, and M(q+) is summed over the same
 * points. If the projection used the exact M, an error of 1e-8 in the sum over the points would be amplified by the condition
 * number of M, 1e11. The matrix E, a small fraction of dt^2 K, keeps M + E invertible for motions without inertia; it does not
 * change the momentum.
 *
 * Two corrections follow:
 *
 *     * A rigid motion is added, so that linear and angular momentum equal those of the start plus the impulses, up to rounding.
 *       The rigid motion corrects the terms in v+ - v that c does not contain, and the errors of the sums over Lobatto points,
 *       which are of third order in dt for smooth motions.
 *     * If `scheme` below is positive, the non-rigid part of v is scaled down until `scheme` is zero. With this scaling, a step
 *       without impulses never gains energy, as long as the rod deforms. Without the scaling of v, 24 free soft rods with 6
 *       elements (omega dt up to 0.05, bent by up to 20/m) gained up to 9e-4 of their energy in 1 s.
 *
 * The added rigid motion and the scaling keep the order of the scheme, which is 2 with theta = 1/2
 * (tests/test_super_circle_spin.c).
 *
 * A clamped root is held during the projection. The momentum that the projection adds (half of the gyroscopic terms) comes from
 * the clamp, and counts in the force and the work of the clamp.
 *
 * The energy `scheme` that the time-stepping scheme takes from the rod is computed without knowing any impulse. With D = J^T m
 * (w+ - w), v_theta as in the works, and g for gravity and load:
 *
 *     scheme = kinetic+ - kinetic - v_theta^T D - (theta - 1/2) |kappa+ - kappa|_K^2
 *              + m g^T (dt J v_theta - (r+ - r)) - v_theta^T N (v+ - v_k). */
#ifndef CST_ROD_SUPER_CIRCLE_MOMENTUM_H
#define CST_ROD_SUPER_CIRCLE_MOMENTUM_H

#include "rod/super_circle_element.h"

/* Number of masses of an element that move relative to its start: two inside and one at its end. The fourth mass is at the start
 * of the element. */
enum { CST_CIRCLE_MASSES = 3 };

/* One vector for each point mass of an element. */
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
    cst_plane first;     /* kg m: mass times the vector from the root to the centre of mass */
    cst_plane momentum;
    double moment; /* angular momentum */
    double kinetic;
} cst_circle_totals;

#endif
