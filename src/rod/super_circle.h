/* Planar super-circle rods: inextensible, unshearable rods, whose n elements have constant curvature. The start of the rod is
 * called its root.
 *
 * A super-circle rod has two formulations, which give the same motion up to rounding:
 * * Chained: the n + 3 dofs are the velocity and the angular velocity of the root, and the rates of the n curvatures. If the root
 *   is clamped, the dofs are only the n rates of curvature. The matrix is dense.
 * * Mixed: each element has 4 dofs, which are the velocity and the angular velocity of its start and the rate of its
 *   curvature. The joints couple the dofs of neighbouring elements, and a sweep along the rod solves the linear system of a
 *   step in O(n).
 *
 * If the root is clamped, the mixed formulation measures the velocities of an element relative to a rigid body that moves with
 * the root. The right-hand side of the step and the velocities of points include the rigid motion of the whole rod with its root.
 *
 * The state consists of the position and angle of the root, the n curvatures, the velocity and angular velocity of the root, and
 * the n rates of curvature. Positions are always computed from the root and the curvatures, so joints do not drift apart. */
#ifndef CST_ROD_SUPER_CIRCLE_H
#define CST_ROD_SUPER_CIRCLE_H

#include "body/body.h"

/* Smallest number of elements for which CST_ROD_AUTO selects the mixed formulation. */
enum { CST_SUPER_CIRCLE_CROSSING = 24 };

/* Creates a rod in *out. Returns false with a message if a value of the definition is not valid or memory ran out. For a closed
 * rod, cst_super_circle_create checks that the initial shape is closed, but adds no constraint; the caller adds the constraint
 * that keeps the rod closed. The function `destroy` of the body class frees the rod. */
bool cst_super_circle_create(const cst_rod_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                             size_t message_size);

#endif
