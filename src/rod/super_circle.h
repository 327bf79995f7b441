/* Planar super-circle rods: inextensible, unshearable, n elements of constant curvature (a body of body/body.h).
 *
 * Two formulations of the same discrete rod; a step gives the same motion to rounding:
 *   chained  v = (x_0', y_0', theta_0', kappa_0', ...), n + 3 dofs, or only the n rates of curvature if the root is clamped. Dense.
 *   mixed    v = (x_i', y_i', theta_i', kappa_i') of every element, 4 n dofs held together by the joints; A^-1 is applied by a
 *            sweep along the rod in O(n), and a point moves with the 4 dofs of its element alone.
 * In both a clamped root is not among the dofs: its velocity is in rhs and in the drift of points (all of v is then relative to
 * the rigid motion with the root).
 *
 * State: root (x, y, theta), kappa (n), root velocity (x', y', theta'), kappa' (n). Places always follow from root and
 * curvatures: joints do not drift apart. */
#ifndef CST_ROD_SUPER_CIRCLE_H
#define CST_ROD_SUPER_CIRCLE_H

#include "body/body.h"

/* Below it, AUTO means chained. */
enum { CST_SUPER_CIRCLE_CROSSING = 24 };

/* A rod as defined, in *out; false with a message that says which value is wrong and why. `closed` is checked here (the shape at
 * first must close) and held by whoever adds the constraint. destroy gives all memory back. */
bool cst_super_circle_create(const cst_rod_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
