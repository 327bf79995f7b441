/* Rigid bodies in 3D: sphere, capsule, box, closed mesh. Symbols:
 *     `x`: position, centre of mass.
 *     `R`: rotation (columns: body axes).
 *     `v`, `w`: velocity, angular velocity.
 *     `L`: angular momentum about x.
 *     `m`, `I`: mass, inertia (body axes).
 *     `c`, `c_w`: drag, angular drag.
 *
 * The state consists of the position, the rotation, the velocity and the angular momentum; the unknowns of a step are the
 * velocity and the angular velocity. All vectors are in world axes. A step without forces would keep the angular momentum L and
 * change the rotation R to R_f, with exactly the same energy (tumbling.h):
 *     `I_f = R_f*I*R_f^T`.
 *     `w_f = I_f^-1*L`.
 *
 * With forces, a step solves one equation for the velocity v+ and one for the angular velocity w+ at its end:
 *     `(m+theta*dt*c)*v+ = m*v+dt*(m*g-(1-theta)*c*v)`.
 *     `(I_f+theta*dt*c_w)*w+ = L-(1-theta)*dt*c_w*w_f`.
 *
 * The position x, the rotation R and the angular momentum L at the end of the step follow from the velocities v+ and w+:
 *     `x+ = x + dt*((1-theta)*v+theta*v+)`.
 *     `R+ = exp(theta dt (w+-w_f)) R_f`.
 *     `L+ = I_f w+`.
 *
 * Angular impulses change the angular momentum exactly, and there is no gyroscopic term to linearise. The parameter theta of the
 * theta scheme only weights the effect of forces, so a free rotation has neither numerical damping nor drift. The work of
 * impulses and the work of the time-stepping scheme are computed as in docs/world.md, except that w_f, the final angular velocity
 * of a step without forces, replaces the angular velocity at the start of the step.
 *
 * A material point at the vector p from the centre of mass has the velocity v + w x p, with the velocity v and the angular
 * velocity w of the body. The mass of a sphere or capsule is distributed over the whole body. The mass of a box or mesh is
 * distributed over the given shape; the layer by which a rounding radius thickens the shape has no mass and only matters for
 * contact.
 *
 * Contact detection treats a sphere or a capsule as one element of a centreline. A box or a mesh is a solid for contacts with
 * centrelines, and a surface of vertices, edges and faces for contacts with other surfaces (collide/detect_features.h). */
#ifndef CST_RIGID_RIGID_SPACE_H
#define CST_RIGID_RIGID_SPACE_H

#include "body/body.h"

/* Returns false with a message if the definition is not valid or memory ran out. The body owns copies of all data and is freed
 * by the function `destroy` of its class. `def->name`, `def->surface` and `def->cookie` are ignored. */
bool cst_rigid_space_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

#endif
