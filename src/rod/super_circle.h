/* Planar super-circle rods: inextensible, unshearable, with n elements of constant curvature (a body of body/body.h).
 *
 * A super-circle rod has two formulations, whose steps give the same motion up to rounding:
 * * Chained: the dofs of a rod with n elements are the velocity and the angular velocity of the root and the n rates of
 *   curvature, n + 3 in all. If the root is clamped, the dofs of the chained formulation are only the n rates of curvature. The
 *   matrix is dense.
 * * Mixed: each of the n elements has 4 dofs: the velocity of its start, its angular velocity and its rate of curvature. The
 *   joints couple the dofs of neighbouring elements. In the mixed formulation, the linear system of a step is solved by a sweep
 *   along the rod in O(n), and a point moves only with the 4 dofs of its element.
 *
 * If the root (start of the rod) is clamped, the dofs are velocities from which the rigid motion of the whole rod with its root
 * is subtracted, so the velocity of the root itself is not an unknown. The prescribed velocity of the root enters the
 * right-hand side of the step and the velocities of points.
 *
 * The state consists of the position and angle of the root (x, y, theta), the n curvatures, the velocity and angular velocity of
 * the root (x', y', theta'), and the n rates of curvature. Positions always follow from the root and the curvatures, so joints do
 * not drift apart. */
#ifndef CST_ROD_SUPER_CIRCLE_H
#define CST_ROD_SUPER_CIRCLE_H

#include "body/body.h"

/* Number of elements below which CST_ROD_AUTO selects the chained formulation. */
enum { CST_SUPER_CIRCLE_CROSSING = 24 };

/* Creates a rod from its definition and writes it to *out. Returns false with a message if a value of the rod's definition is not
 * valid. If `closed` is set in the definition, cst_super_circle_create only checks that the initial shape of the rod is closed;
 * the caller adds the constraint that keeps the rod closed. The function `destroy` of the rod's body class frees all memory of
 * the rod. */
bool cst_super_circle_create(const cst_rod_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
