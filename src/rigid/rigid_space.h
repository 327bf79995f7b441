/* Rigid bodies in 3D: sphere, capsule, box, closed mesh. Symbols, all in world axes except I:
 *     `x`: position of the centre of mass.
 *     `R`: rotation (columns: body axes).
 *     `v`, `w`: velocity, angular velocity.
 *     `L`: angular momentum about x.
 *     `m`, `I`: mass, inertia in body axes.
 *     `c`, `c_w`: drag, angular drag.
 *     `g`: gravity.
 *     `theta`: weight of the final velocities in the mean velocities over a step.
 *     Suffix `+`: value at the end of the step.
 *     Suffix `_f`: value at the end of a step without forces.
 *
 * The state consists of position, rotation, velocity and angular momentum. The unknowns of a step are the velocity v+ and the
 * angular velocity w+ at the end of the step. A step without forces keeps the angular momentum L, conserves the energy exactly
 * (tumbling.h) and changes the rotation from R to R_f. A step without forces ends with the inertia I_f in world axes and the
 * angular velocity w_f:
 *     `I_f = R_f*I*R_f^T`.
 *     `w_f = I_f^-1*L`.
 *
 * With forces, a step solves two linear equations:
 *     `(m+theta*dt*c)*v+ = m*v+dt*(m*g-(1-theta)*c*v)`.
 *     `(I_f+theta*dt*c_w)*w+ = L-(1-theta)*dt*c_w*w_f`.
 *
 * The state at the end of the step follows from the velocities v+ and w+:
 *     `x+ = x + dt*((1-theta)*v+theta*v+)`.
 *     `R+ = exp(theta dt (w+-w_f)) R_f`.
 *     `L+ = I_f w+`.
 *
 * An angular impulse H changes the angular momentum by exactly H, and no gyroscopic term has to be linearised. The theta scheme
 * is applied only to forces. A rotation without forces is computed separately, with neither numerical damping nor drift. The
 * works of impulses and of the time-stepping scheme are computed as in docs/world.md, with w_f (the final angular velocity of a
 * step without forces) in place of the initial angular velocity.
 *
 * A material point at the vector p from the centre of mass has the velocity v + w x p. The mass of a sphere or a capsule fills
 * the whole body. The rounding layer of a box or a mesh has no mass; it matters only for contact.
 *
 * Contact detection treats a sphere or a capsule as one element of a centreline. Contact detection treats a box or a mesh as a
 * solid in contacts with centrelines, and as a surface of vertices, edges and faces in contacts with other surfaces
 * (collide/detect_features.h). */
#ifndef CST_RIGID_RIGID_SPACE_H
#define CST_RIGID_RIGID_SPACE_H

#include "body/body.h"

/* Creates a rigid body with copies of all data; `def->name`, `def->surface` and `def->cookie` are ignored. Returns false with
 * a message if the definition is invalid or memory ran out. */
bool cst_rigid_space_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

#endif
