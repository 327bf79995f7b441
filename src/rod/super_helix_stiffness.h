/* The geometric stiffness of one element of a super helix: the change of the generalised forces as the element rotates, bends and
 * twists. At a point of the element, a force does work when the point moves relative to the element's start, and a moment does
 * work when the cross-section at the point rotates. Symbols (`p`, `G`, `V`: super_helix_maps.h):
 *     `R`: frame of the element.
 *     `phi`: small rotation of the element.
 *     `du`: change of the element's curvatures.
 *     `F`, `m`: force and moment.
 *     `c=R*p`: vector from the element's start to the point, before the element rotates or changes its curvatures.
 *     `r`: vector from the element's start to the point, after the rotation phi and the change du of the curvatures.
 *     `psi`: rotation at the point.
 *
 * A small rotation phi of the element changes its frame R by `R <- exp(hat(phi))*R`. The new vector r to the point and the
 * rotation psi at the point are expanded to second order in phi (rotation of the element) and du (change of its curvatures), with
 * the formula of Baker, Campbell and Hausdorff. The terms of the vector r and of the rotation psi up to first order are r_1 and
 * psi_1, and the terms of second order are r_2 and psi_2:
 *     `r_1 = c+hat(phi)*c+R*G*du`.
 *     `r_2 = hat(phi)*(hat(phi)*c/2+R*G*du)+R*p''(du)/2`.
 *     `psi_1 = phi+R*V*du`.
 *     `psi_2 = hat(phi)*R*V*du/2+R*V'(du)*du/2`.
 *
 * The geometric stiffness consists of the second derivatives of the negative work of the force F and the moment m with respect to
 * the rotation phi and the change du of the curvatures:
 *     `phi phi: (F.c)*I-(F*c^T+c*F^T)/2`.
 *     `phi du: hat(F)*R*G+hat(m)*R*V/2`.
 *     `du du: -F^T*R*p''-m^T*R*V'`.
 *
 * All following elements act on the end of the element with a force and a moment. The energy of the following elements also has
 * second derivatives N (3 x 3) with respect to the rotation of the element's end. The second derivatives of the energy of the
 * following elements with respect to the rotation and the curvatures of the element are:
 *     `[I,R*V]^T*N*[I,R*V]`.
 *
 * If the rotations of all elements are expressed by the curvatures, the sum of elastic and geometric stiffness of all elements is
 * the exact Hessian of the potential energy. */
#ifndef CST_ROD_SUPER_HELIX_STIFFNESS_H
#define CST_ROD_SUPER_HELIX_STIFFNESS_H

#include "rod/super_helix_element.h"

/* Blocks of the geometric stiffness for the rotation (w) and the curvatures (u) of an element; ww and uu are symmetric. */
typedef struct cst_helix_block {
    double ww[9], wu[9], uu[9];
} cst_helix_block;

/* Adds the geometric stiffness of a force and a moment at the arc length s of the element e. */
void cst_helix_block_add(cst_helix_block *N, const cst_helix_element *e, double s, const double force[3], const double moment[3]);

/* Adds the geometric stiffness of the forces of a uniform acceleration field, such as gravity, on the masses of the element. */
void cst_helix_block_add_field(cst_helix_block *N, const cst_helix_element *e, const cst_helix_material *material, int gauss,
                               const double field[3]);

#endif
