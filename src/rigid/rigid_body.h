/* Planar rigid bodies: a disk, or a simple polygon with rounded edges.
 *
 * The coordinates are the position (x, y) of the centre of mass and the angle of the body, the velocities are v = (vx, vy,
 * omega), and the mass matrix is M = diag(m, m, I). Only gravity and linear drag act. A step solves A v+ = rhs for the
 * velocities v+ at its end, with the velocities v at its start and the drag matrix C:
 *     `A = M+theta*dt*C`.
 *     `rhs = M*v + dt*m*g-(1-theta)*dt*C*v`.
 *     `C = diag(drag, drag, angular_drag)`.
 *
 * A material point at the vector p from the centre of mass (in world axes) has the velocity (vx - omega p_y, vy + omega p_x) and
 * the angular velocity omega.
 *
 * The saved state of a body consists of x, y, angle, vx, vy and omega. The mass of a polygon is distributed over the polygon
 * without the rounding of its edges; the rounding only affects contact. The edges of a polygon are arcs of curvature 0 in
 * clockwise order, so that the material is on their right; the arc length s is measured along the perimeter. */
#ifndef CST_RIGID_RIGID_BODY_H
#define CST_RIGID_RIGID_BODY_H

#include "body/body.h"

/* Returns false with a message if the definition is not valid or memory ran out. The body owns copies of all data and is freed
 * by the function `destroy` of its class. `def->name`, `def->surface` and `def->cookie` are ignored. */
bool cst_rigid_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
