/* The geometric stiffness of one element of a super helix: how the generalised forces change as the element turns, bends and
 * twists.
 *
 * Let phi be a small rotation of an element (R <- exp(hat(phi)) R) and du a change of its curvatures. A force F at a point r =
 * r_i + R p of the element does the work F.r, and a moment m does the work m.psi on the rotation psi at this point. To second
 * order, with c = R p,
 *
 *     r   =  c + phi x c + R G du  +  phi x (phi x c)/2 + phi x (R G du) + R p''(du)/2
 *     psi =  phi + R V du  +  phi x (R V du)/2 + R V'(du) du/2                               (Baker, Campbell, Hausdorff).
 *
 * So the negative work has the second derivatives
 *
 *     (F.c) I - (F c^T + c F^T)/2 in phi phi, hat(F) R G + hat(m) R V/2 in phi du, -F^T R p'' - m^T R V' in du du.
 *
 * All following elements act on the end of the element with a force F and a moment m. The second derivatives of the energy of the
 * following elements, in the rotation psi of the joint, are added as [I, R V]^T N [I, R V]. If the rotations phi are expressed
 * by the curvatures, the sum of the blocks of all elements is the exact Hessian of the potential energy. */
#ifndef CST_ROD_SUPER_HELIX_STIFFNESS_H
#define CST_ROD_SUPER_HELIX_STIFFNESS_H

#include "rod/super_helix_element.h"

/* The blocks (phi phi), (phi du) and (du du) of the geometric stiffness; ww and uu are symmetric. */
typedef struct cst_helix_block {
    double ww[9], wu[9], uu[9];
} cst_helix_block;

/* Adds the blocks of a force and a moment that act at the arc length s of the element e. */
void cst_helix_block_add(cst_helix_block *N, const cst_helix_element *e, double s, const double force[3], const double moment[3]);

/* Adds the blocks of a uniform acceleration of the masses of the element. */
void cst_helix_block_add_field(cst_helix_block *N, const cst_helix_element *e, const cst_helix_material *material, int gauss,
                               const double field[3]);

#endif
