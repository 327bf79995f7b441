/* Planar rigid bodies: a disk, or a simple polygon with rounded edges. Gravity and linear drag act on the body. Symbols:
 *     `x`, `y`: centre of mass.
 *     `v = (vx, vy, omega)`: velocities at the start of the step.
 *     `v+`: velocities at the end of the step.
 *     `M = diag(m, m, I)`: mass matrix.
 *     `C = diag(drag, drag, angular_drag)`.
 *
 * A step solves a linear system for the final velocities v+:
 *     `A v+ = rhs`.
 *     `A = M+theta*dt*C`.
 *     `rhs = M*v + dt*m*g-(1-theta)*dt*C*v`.
 *
 * A material point at the vector p from the centre of mass, in world axes, has the velocity (vx - omega p_y, vy + omega p_x).
 *
 * The saved state of a body consists of x, y, angle, vx, vy and omega. The rounding of the edges only affects contact; the mass
 * is distributed over the polygon without rounding. The contact surface of a polygon consists of its edges in clockwise order, so
 * that the material is on the right of each edge. */
#ifndef CST_RIGID_RIGID_BODY_H
#define CST_RIGID_RIGID_BODY_H

#include "body/body.h"

/* Creates a planar rigid body with copies of all data of the definition. Returns false with a message if the definition is not
 * valid or memory ran out. `def->name`, `def->surface` and `def->cookie` are ignored. */
bool cst_rigid_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                      size_t message_size);

#endif
