/* The geometric stiffness of one element of a super helix: how the generalised forces change as the element turns, bends and
 * twists.
 *
 * A force at a point of the element does work in the displacement of this point relative to the element's start, and a moment
 * does work in the rotation at this point. Symbols (`p`, `G`, `V`: super_helix_maps.h):
 *     `R`: frame of the element.
 *     `phi`: small rotation of the element.
 *     `du`: change of its curvatures.
 *     `F`, `m`: force and moment.
 *     `c=R*p`: vector to the point.
 *     `r`: new vector to the point.
 *     `psi`: rotation at the point.
 *
 * A small rotation phi of the element changes its frame R: `R <- exp(hat(phi))*R`. Position and rotation of the point are
 * expanded to second order in the rotation and the curvature changes of the element, with the formula of Baker, Campbell and
 * Hausdorff. The vector r from the element's start to the point and the rotation psi at the point are sums of terms up to first
 * order (index 1) and terms of second order (index 2):
 *     `r_1 = c+hat(phi)*c+R*G*du`.
 *     `r_2 = hat(phi)*(hat(phi)*c/2+R*G*du)+R*p''(du)/2`.
 *     `psi_1 = phi+R*V*du`.
 *     `psi_2 = hat(phi)*R*V*du/2+R*V'(du)*du/2`.
 *
 * The negative work has second derivatives:
 *     `phi phi: (F.c)*I-(F*c^T+c*F^T)/2`.
 *     `phi du: hat(F)*R*G+hat(m)*R*V/2`.
 *     `du du: -F^T*R*p''-m^T*R*V'`.
 *
 * All elements after an element act on its end with a force and a moment. The energy of the following elements also has second
 * derivatives with respect to the rotation of the joint at the element's end, a 3 x 3 matrix N. In the unknowns of the element:
 *     `[I,R*V]^T*N*[I,R*V]`.
 *
 * If the rotations of all elements are expressed by the curvatures, the sum of the elastic and the geometric stiffnesses of all
 * elements is the exact Hessian of the potential energy. */
#ifndef CST_ROD_SUPER_HELIX_STIFFNESS_H
#define CST_ROD_SUPER_HELIX_STIFFNESS_H

#include "rod/super_helix_element.h"

/* Blocks of the geometric stiffness in the rotation (w) and the curvatures (u) of an element; ww and uu are symmetric. */
typedef struct cst_helix_block {
    double ww[9], wu[9], uu[9];
} cst_helix_block;

/* Adds the geometric stiffness of a force and a moment that act at the arc length s of the element e. */
void cst_helix_block_add(cst_helix_block *N, const cst_helix_element *e, double s, const double force[3], const double moment[3]);

/* Adds the geometric stiffness of the forces that a uniform acceleration field, such as gravity, exerts on the masses of the
 * element. */
void cst_helix_block_add_field(cst_helix_block *N, const cst_helix_element *e, const cst_helix_material *material, int gauss,
                               const double field[3]);

#endif
