/* The geometric stiffness of one element: how the generalised forces on a rod change as the element turns and bends.
 *
 * Let a force F act at a point of an element with the start angle theta and the curvature kappa. The second derivatives of the
 * negative work of this force F with respect to theta and kappa are:
 *     `theta theta: F^T*R*p`.
 *     `theta kappa: -F^T*i*R*dp/dkappa`.
 *     `kappa kappa: -F^T*R*d2p/dkappa2`.
 *
 * Symbols:
 *     `p`: position in the element's frame.
 *     `R`: rotation of the element's frame.
 *     `i`: rotation by a quarter turn.
 *
 * The 2 x 2 geometric stiffness of an element is the sum of the contributions of its weight, its point loads, and the force of
 * all following elements on its end. The geometric stiffness is used to compute equilibria, and in time steps with several
 * linearisations. */
#ifndef CST_ROD_SUPER_CIRCLE_STIFFNESS_H
#define CST_ROD_SUPER_CIRCLE_STIFFNESS_H

#include "rod/super_circle_element.h"

typedef struct cst_circle_block {
    double turn_turn, turn_bend, bend_bend;
} cst_circle_block;

/* Adds the geometric stiffness of a force at a point of an element. `chord`: vector from the element's start to the point at
 * which the force acts. `bend`, `bend_twice`: first and second derivatives of the position of the loaded point with respect to
 * the curvature of the element. */
static inline void cst_circle_block_add(cst_circle_block *N, cst_plane force, cst_plane chord, cst_plane bend,
                                        cst_plane bend_twice)
{
    N->turn_turn += cst_plane_dot(force, chord);
    N->turn_bend -= cst_plane_dot(force, cst_plane_left(bend));
    N->bend_bend -= cst_plane_dot(force, bend_twice);
}

static inline void cst_circle_block_add_at(cst_circle_block *N, const cst_circle_element *e, const cst_circle_point *point,
                                           cst_plane force)
{
    cst_circle_block_add(N, force, cst_plane_difference(point->position, e->start), point->bend, point->bend_twice);
}

/* Adds the geometric stiffness of a uniform acceleration field g on an element with the mass matrix M and the length l. */
static inline void cst_circle_block_add_field(cst_circle_block *N, const cst_circle_element *e, const cst_circle_mass *M,
                                              double l, cst_plane g)
{
    const cst_plane first = {M->turn.y, -M->turn.x}; /* rhoA R l^2 P */
    const cst_plane twice = cst_plane_product(e->direction, cst_circle_P2(e->kappa * l, e->f));
    cst_circle_block_add(N, g, first, M->bend, cst_plane_scaled(M->m * l * l * l, twice));
}

static inline void cst_circle_block_add_pull(cst_circle_block *N, const cst_circle_element *e, const cst_circle_joint *joint,
                                             double l, cst_plane pull)
{
    const cst_plane chord = {joint->turn.y, -joint->turn.x};
    const cst_plane twice = cst_plane_product(e->direction, cst_circle_E2(e->kappa * l, e->f));
    cst_circle_block_add(N, pull, chord, joint->bend, cst_plane_scaled(l * l * l, twice));
}

#endif
