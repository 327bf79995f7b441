/* The momentum of a super helix as that of its masses: what a step does to it, exactly.
 *
 * The mass matrix depends on the shape, and rates that are kept while the shape moves on do not keep the momentum. So the step is
 * an equation of the velocities of the masses (Gauss points), w at its start and w+ at its end, J the Jacobian where the step is
 * linearised:
 *
 *     J^T m (w+ - w) = impulses,     w+ = J v+ + c,     w = J(q) v
 *
 * and velocities w+ that the shape q+ at the end does not admit are brought to those that have the same momentum,
 *
 *     v = v+ + (M(q+) + E)^-1 J(q+)^T m (w+ - J(q+) v+)
 *
 * the nearest ones in kinetic energy (E = 0). Translations are admissible in every shape, so that linear momentum is kept to rounding
 * whatever c is. c is chosen for the masses to go where they are going: the mean velocity over the step is that of the way
 * between the shapes, theta w+ + (1 - theta) w = (r(q+) - r(q))/dt, so that with theta = 1, J at the start, the angular momentum is kept too
 * (r x w+ = r+ x w+), as it is with theta = 1/2.
 *
 *     linearised at the start     c = dt/(2 theta) J'(v) v        half the gyroscopic term of M q'' + h; the other half comes with the
 *                                                                shape of the end
 *     at a guess v_k              c = w_k - J v_k,  w_k = ((r(q+_k) - r(q))/dt - (1 - theta) w)/theta:  nothing gyroscopic is left, and
 *                                 with theta = 1 M is the matrix of Gauss and Newton
 *
 * The spin of a section is an angular momentum j Omega t, carried with its direction: W^T j (Omega+ t+ - Omega t), W the turning rate
 * by v. E is a small share of the step's dt^2 K, for motions without any inertia (the twist of a straight rod without thickness); it
 * acts on curvatures alone, of which no momentum depends.
 *
 * A clamped root is held while velocities are brought to the admissible ones: the momentum that this adds comes through it, half of the gyroscopic
 * terms, and counts in its force and its work.
 *
 * What the scheme takes of the energy is known without any impulse. With v_theta as the works are counted by,
 *
 *     scheme = kinetic+ - kinetic - v_theta . J^T m (w+ - w)  -  (theta - 1/2) |u+ - u|_K^2
 *              + m g . (dt J v_theta - (r+ - r))  -  v_theta . N (v+ - v_k)
 *
 * (theta = 1, E = 0, c = 0: kinetic+ - kinetic - ... = -|w+ - w|^2/2 - |w+ - J(q+) v|^2/2.) An error of contacts, constraints or
 * clamps is not in it. */
#ifndef CST_ROD_SUPER_HELIX_MOMENTUM_H
#define CST_ROD_SUPER_HELIX_MOMENTUM_H

#include "rod/super_helix_element.h"

/* The masses of an element at the start of a step. */
typedef struct cst_helix_start {
    double place[CST_HELIX_GAUSS_MAX][3], spin[CST_HELIX_GAUSS_MAX]; /* spin: Omega */
    cst_helix_field field;
} cst_helix_start;

#endif
