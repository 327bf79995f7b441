/* Super helices: inextensible, unshearable rods in 3D with n elements of constant material curvatures and twist (a body of
 * body/body.h; docs/space_fibers.md).
 *
 * A super helix has two formulations, whose steps give the same motion up to rounding:
 * * Dense: the dofs of a rod with n elements are the velocity and the angular velocity of the root and the rates of the three
 *   curvatures of every element, 3 n + 6 in all. If the root is clamped, the dofs of the dense formulation are only the 3 n rates
 *   of the curvatures.
 * * Sweep: each of the n elements has 9 dofs: the velocity and the angular velocity of its start, and its three rates of
 *   curvature. The joints couple the dofs of neighbouring elements. In the sweep formulation, a linear system with the matrix of
 *   the step is solved by a sweep along the rod in O(n), and a point moves only with the 9 dofs of its element.
 *
 * If the root (start of the rod) is clamped, the dofs are velocities from which the rigid motion of the whole rod with its root
 * is subtracted, so the velocity of the root itself is not an unknown. The prescribed velocity of the root enters the
 * right-hand side of the step and the velocities of points. The strains of an element are its curvatures u = (twist, k1, k2).
 * Velocities and angular velocities are vectors in world axes.
 *
 * The state of n elements consists of root position (3), root frame (9, row-major, columns t, d1, d2), curvatures (3 n), root
 * velocity (3), angular velocity of the root (3), rates of curvature (3 n). Positions always follow from the root and the
 * curvatures, so joints do not drift apart.
 *
 * A step is an equation for the momentum of point masses (super_helix_momentum.h). The linear system of a step gives velocities
 * for the shape where the step was linearised. The velocities stored at the end of the step are not the solution of the linear
 * system: in the final shape, they have the momentum that the solution has in the linearised shape. A step conserves the linear
 * momentum of a free super helix up to rounding. The change of the total energy equals the sum of all works up to rounding; this
 * sum contains the work `scheme` of the time-stepping scheme (formula in super_helix_momentum.h). The errors of contacts,
 * constraints and clamps are not part of any work: they appear in the energy balance as unexplained energy, the change of the
 * total energy minus all works. */
#ifndef CST_ROD_SUPER_HELIX_H
#define CST_ROD_SUPER_HELIX_H

#include "body/body.h"

/* Largest number of elements for which CST_FIBER_AUTO selects the dense formulation. */
enum { CST_SUPER_HELIX_DENSE_MAX = 8 };

/* Creates a fiber from its definition and writes it to *out. Returns false with a message if a value of the fiber's definition is
 * not valid. If `closed` is set in the definition, cst_super_helix_create only checks that the initial shape of the fiber is
 * closed; the caller adds the constraint that keeps the fiber closed. The function `destroy` of the body class of the fiber frees
 * all memory that cst_super_helix_create allocated. */
bool cst_super_helix_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

/* Sets the natural curvatures for which a clamped fiber is at rest in its present shape under gravity alone. Returns false if
 * memory ran out. */
bool cst_super_helix_rest(const cst_body_model *fiber, const double gravity[3]);

/* Returns the largest distance (m) between a joint of the fiber's initial shape and the point given for this joint in its
 * definition; 0 if the definition has no points. */
double cst_super_helix_fit(const cst_body_model *fiber);

#endif
