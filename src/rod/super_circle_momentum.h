/* The momentum of a super-circle rod as that of its masses: what a step does to it, exactly.
 *
 * As for super helices (super_helix_momentum.h), the step is an equation of the velocities of the masses, w at its start and w+ at its
 * end, J the Jacobian where the step is linearised:
 *
 *     J^T m (w+ - w) = impulses,     w+ = J v+ + c,     w = J(q) v
 *
 *     linearised at the start     c = dt/(2 theta) J'(v) v: half the gyroscopic terms h; the other half comes with the shape of the end
 *     at a guess v_k              c = w_k - J v_k,  w_k = ((r(q+_k) - r(q))/dt - (1 - theta) w)/theta, the way of the masses
 *
 * and velocities w+ that the shape q+ at the end does not admit are brought to the admissible ones with the same momentum,
 *
 *     v = v+ + (M(q+) + E)^-1 J(q+)^T m (w+ - J(q+) v+)
 *
 * the nearest ones in kinetic energy, so that the change of shape adds none. Masses: Lobatto's four points of an element here (exact
 * to the fifth degree; two are its ends, which are known); M, h and weight elsewhere are exact integrals (super_circle_element.h).
 * Only the difference w+ - J(q+) v+, which is O(dt), is summed by points, and by the same ones as the matrix it is divided by: with
 * the exact M in its place, an error of 1e-8 of that sum would be amplified by the condition of M, 1e11. E is a small share of dt^2 K
 * for motions without inertia; no momentum depends on it.
 *
 * Then two corrections of what is left:
 *
 *     a rigid motion is added so that linear and angular momentum are those of the start and of the impulses, to rounding. It
 *         makes up for what c does not know (v+ - v) and for the sums by points: of third order in dt where motions are
 *         smooth
 *     the part of v that is not rigid is scaled down, if `scheme` below would be positive, until it is zero: no step gains energy that
 *         no impulse has brought, as long as something deforms. (24 free soft rods, 6 elements, omega dt up to 0.05, bent by up to
 *         20/m, 1 s: without it they gain up to 9e-4 of their energy.)
 *
 * Both leave the order of the scheme: 2 with theta = 1/2 (tests/test_super_circle_spin.c).
 *
 * A clamped root is held while velocities are brought to the admissible ones: the momentum that this adds comes through it, half of the gyroscopic
 * terms, and counts in its force and its work.
 *
 * What the scheme takes of the energy, known without any impulse: D = J^T m (w+ - w), v_theta as the works are counted by,
 *
 *     scheme = kinetic+ - kinetic - v_theta . D - (theta - 1/2) |kappa+ - kappa|_K^2
 *              + m g . (dt J v_theta - (r+ - r)) - v_theta . N (v+ - v_k)                                g: gravity and load */
#ifndef CST_ROD_SUPER_CIRCLE_MOMENTUM_H
#define CST_ROD_SUPER_CIRCLE_MOMENTUM_H

#include "rod/super_circle_element.h"

/* Masses of an element that move relative to its start: two within it, one at its end. The fourth is at its start. */
enum { CST_CIRCLE_MASSES = 3 };

/* Something at each mass of an element. */
typedef struct cst_circle_field {
    cst_plane at[CST_CIRCLE_MASSES], first;
} cst_circle_field;

/* Where the masses of an element are, in its frame, from its start: p, dp/dkappa, d2p/dkappa2. */
typedef struct cst_circle_masses {
    cst_plane p[CST_CIRCLE_MASSES], d[CST_CIRCLE_MASSES], dd[CST_CIRCLE_MASSES];
} cst_circle_masses;

void cst_circle_masses_of(const cst_circle_element *e, double l, cst_circle_masses *out);

/* The masses of an element at the start of a step. */
typedef struct cst_circle_start {
    cst_circle_field place, velocity;
} cst_circle_start;

/* Sums over a rod, moments about its root. */
typedef struct cst_circle_totals {
    double mass, second; /* kg, kg m2 */
    cst_plane first;     /* kg m: mass times the arm of the centre of mass */
    cst_plane momentum;
    double moment; /* angular momentum */
    double kinetic;
} cst_circle_totals;

#endif
