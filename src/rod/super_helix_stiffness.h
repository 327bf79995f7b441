/* How the forces on a super helix change as it turns and bends: the geometric stiffness of one element.
 *
 * phi is a small rotation of an element (R <- exp(hat(phi)) R), du a change of its curvatures. A force F at its point r = r_i + R
 * p has the work F.r, a moment m the work m.psi of the rotation psi there; to second order, with c = R p,
 *
 *     r   =  c + phi x c + R G du  +  phi x (phi x c)/2 + phi x (R G du) + R p''(du)/2
 *     psi =  phi + R V du  +  phi x (R V du)/2 + R V'(du) du/2                               (Baker, Campbell, Hausdorff)
 *
 * so that minus the work has the second derivatives
 *
 *     phi phi:  (F.c) I - (F c^T + c F^T)/2,    phi du:  hat(F) R G + hat(m) R V/2,    du du:  -F . R p''  -  m . R V'
 *
 * All that follows the element pulls at its end with a force F and a moment m about it. The second derivatives of the energy of
 * what follows, in the rotation psi of the joint, add up by [I, R V]^T N [I, R V]. In the curvatures alone this is the exact
 * Hessian. */
#ifndef CST_ROD_SUPER_HELIX_STIFFNESS_H
#define CST_ROD_SUPER_HELIX_STIFFNESS_H

#include "rod/super_helix_element.h"

/* Blocks (phi phi), (phi du), (du du); ww and uu symmetric. */
typedef struct cst_helix_block {
    double ww[9], wu[9], uu[9];
} cst_helix_block;

/* force and moment at s of the element e. */
void cst_helix_block_add(cst_helix_block *N, const cst_helix_element *e, double s, const double force[3], const double moment[3]);

/* A uniform acceleration on the masses of the element. */
void cst_helix_block_add_field(cst_helix_block *N, const cst_helix_element *e, const cst_helix_material *material, int gauss,
                               const double field[3]);

#endif
