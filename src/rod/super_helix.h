/* Super helices: inextensible, unshearable rods in 3D, whose n elements have constant curvatures (docs/space_fibers.md). The
 * three curvatures of an element are the twist and the two bending curvatures, u = (twist, k1, k2). The start of the rod is
 * called its root.
 *
 * A super helix has two formulations, which give the same motion up to rounding:
 * * Dense: the 3 n + 6 dofs are the velocity and the angular velocity of the root, and the rates of the curvatures of all
 *   elements. If the root is clamped, the dofs are only the 3 n rates of curvature.
 * * Sweep: each element has 9 dofs, which are the velocity and the angular velocity of its start and the rates of its three
 *   curvatures. The joints couple the dofs of neighbouring elements, and a sweep along the rod solves the linear system of a
 *   step in O(n).
 *
 * If the root is clamped, the sweep formulation measures the velocities of an element relative to a rigid body that moves with
 * the root. The right-hand side of the step and the velocities of points include the rigid motion of the whole rod with its root.
 * Velocities and angular velocities are vectors in world axes.
 *
 * The state consists of root position (3), root frame (9, row-major, columns t, d1, d2), curvatures (3 n), root velocity (3),
 * angular velocity of the root (3) and rates of curvature (3 n). Positions are always computed from the root and the curvatures,
 * so joints do not drift apart.
 *
 * The equations of a time step are written for the momentum of point masses (super_helix_momentum.h). The linear system of a step
 * gives velocities for the shape where the step is linearised. At the end of the step, the velocities that solve this linear
 * system are replaced by velocities that have the same momentum in the final shape. A step conserves the linear momentum of a
 * free super helix up to rounding. The change of the total energy in a step equals the sum of all works and of the energy that
 * the time stepping adds, up to rounding. An error in the computed work of a contact, a constraint or a clamp therefore appears
 * as unexplained energy in the energy balance. */
#ifndef CST_ROD_SUPER_HELIX_H
#define CST_ROD_SUPER_HELIX_H

#include "body/body.h"

/* Largest number of elements for which CST_FIBER_AUTO selects the dense formulation. */
enum { CST_SUPER_HELIX_DENSE_MAX = 8 };

/* Creates a fiber in *out. Returns false with a message if a value of the definition is not valid or memory ran out. For a closed
 * fiber, cst_super_helix_create checks that the initial shape is closed, but adds no constraint; the caller adds the constraint
 * that keeps the fiber closed. The function `destroy` of the body class frees the fiber. */
bool cst_super_helix_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

/* Sets the natural curvatures of a clamped fiber so that the fiber is at rest in its present shape under gravity alone. Returns
 * false if memory ran out. */
bool cst_super_helix_rest(const cst_body_model *fiber, const double gravity[3]);

/* Returns how well the initial shape fits the points of the definition: the largest distance (m) between a joint and its point,
 * or 0 if the definition has no points. */
double cst_super_helix_fit(const cst_body_model *fiber);

#endif
