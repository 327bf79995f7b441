/* The momentum of a super helix as the momentum of point masses, and its exact change in a step.
 *
 * The mass matrix depends on the shape. Generalised velocities that stay constant while the shape changes do not conserve
 * momentum. So the step is an equation for the velocities of the masses (Gauss points), w at its start and w+ at its end, where
 * J is the Jacobian at the place of linearisation. This equation is
 *
 *     J^T m (w+ - w) = impulses,     w+ = J v+ + c,     w = J(q) v.
 *
 * The velocities w+ are in general not admissible for the shape q+ at the end. The velocities w+ are projected to the admissible
 * velocities with the same momentum:
 *
 *     v = v+ + (M(q+) + E)^-1 J(q+)^T m (w+ - J(q+) v+).
 *
 * For E = 0 the projected velocities are the nearest ones in kinetic energy. Translations are admissible in every shape, so
 * linear momentum is conserved up to rounding for any c. The vector c is chosen such that the mean velocity over the step is the
 * displacement between the shapes divided by dt: theta w+ + (1 - theta) w = (r(q+) - r(q))/dt. With this choice of c, angular
 * momentum is also conserved in two cases: theta = 1 with J at the start of the step (r x w+ = r+ x w+), and theta = 1/2.
 *
 *     * Linearised at the start: c = dt/(2 theta) J'(v) v, half the gyroscopic term of M q'' + h. The other half of the
 *       gyroscopic term comes from the projection to the final shape.
 *     * At a guess v_k: c = w_k - J v_k, with w_k = ((r(q+_k) - r(q))/dt - (1 - theta) w)/theta. At a guess no gyroscopic term
 *       is left, and with theta = 1 M is the Gauss-Newton matrix.
 *
 * The spin of a section about its tangent t has the angular momentum j Omega t, a vector that also changes with the direction
 * of t. The change of this angular momentum is W^T j (Omega+ t+ - Omega t), where W maps v to the angular velocity. The matrix
 * E is a small fraction of the step's dt^2 K; it is needed for motions without any inertia (the twist of a straight rod without
 * thickness). The matrix E acts only on rates of curvature, so it does not change the linear and angular momentum of the rod.
 *
 * A clamped root is held during the projection. The momentum that the projection adds (half of the gyroscopic terms) comes from
 * the clamp, and counts in the force and the work of the clamp.
 *
 * The energy `scheme` that the time-stepping scheme takes from the rod is computed without knowing any impulse. With v_theta as
 * in the works:
 *
 *     scheme = kinetic+ - kinetic - v_theta^T J^T m (w+ - w)  -  (theta - 1/2) |u+ - u|_K^2
 *              + m g^T (dt J v_theta - (r+ - r)) - v_theta^T N (v+ - v_k).
 *
 * For theta = 1, E = 0, c = 0 the first three terms of `scheme` are -|w+ - w|^2/2 - |w+ - J(q+) v|^2/2. The energy `scheme`
 * does not contain errors of contacts, constraints or clamps. */
#ifndef CST_ROD_SUPER_HELIX_MOMENTUM_H
#define CST_ROD_SUPER_HELIX_MOMENTUM_H

#include "rod/super_helix_element.h"

/* Positions, velocities and spins of the masses of an element at the start of a step. */
typedef struct cst_helix_start {
    double place[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX]; /* spin: Omega */
    cst_helix_field field;
} cst_helix_start;

#endif
