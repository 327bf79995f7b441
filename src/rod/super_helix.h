/* Super helices: inextensible, unshearable rods in space, n elements of constant material curvatures and twist (a body of
 * body/body.h; docs/space_fibers.md).
 *
 * Two formulations of the same discrete rod; a step gives the same motion to rounding:
 *   dense  v = (v_0, omega_0, u_0', ...), 3 n + 6 dofs, or only the 3 n rates of the curvatures if the root is clamped.
 *   sweep  v = (v_i, omega_i, u_i') of every element, 9 n dofs held together by the joints; A^-1 is applied by a sweep along
 *          the rod in O(n), and a point moves with the 9 dofs of its element alone.
 * In both a clamped root is not among the dofs: its velocity is in rhs and in the drift of points (all of v is then relative to
 * the rigid motion with the root). u = (twist, k1, k2); velocities and turning rates in the world's frame.
 *
 * State: root position (3), frame (9, row-major, columns t, d1, d2), u (3 n), root velocity (3), turning rate (3), u' (3 n).
 * Places always follow from root and curvatures: joints do not drift apart.
 *
 * A step is an equation of the momentum of the masses (super_helix_momentum.h): velocities at the end of a step are those with
 * its momentum in the shape there, v, not the v+ that was solved for. Linear momentum is kept to rounding, and so is the budget
 * of energy, by
 *
 *     scheme = kinetic+ - kinetic - v_theta . J^T m (w+ - w) - (theta - 1/2) |u+ - u|_K^2
 *              + m g . (dt J v_theta - (r+ - r)) - v_theta . N (v+ - v_k)
 *
 * which has nothing of contacts, constraints and clamps in it: their errors stay unexplained. */
#ifndef CST_ROD_SUPER_HELIX_H
#define CST_ROD_SUPER_HELIX_H

#include "body/body.h"

/* Up to it, AUTO means dense. */
enum { CST_SUPER_HELIX_DENSE_MAX = 8 };

/* A fiber as defined, in *out; false with a message that says which value is wrong and why. `closed` is checked here (the shape
 * at first must close) and held by whoever adds the constraint. destroy gives all memory back. */
bool cst_super_helix_create(const cst_fiber_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

/* The natural curvatures with which a clamped fiber is at rest where it is, under gravity alone. False: out of memory. */
bool cst_super_helix_rest(const cst_body_model *fiber, const double gravity[3]);

/* m: the largest distance between a joint of a fiber made from `point` and its point, at first; 0 without points. */
double cst_super_helix_fit(const cst_body_model *fiber);

#endif
