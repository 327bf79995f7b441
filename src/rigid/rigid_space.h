/* Rigid bodies in 3D: sphere, capsule, box, closed mesh.
 *
 * The state consists of the position x of the centre of mass, the rotation R (columns: the axes of the body), the velocity, and
 * the angular momentum L about x in world axes. The unknowns of a step are v = (velocity, angular velocity w), both in world
 * axes. Without forces L is constant, and R rotates to R_f with exactly the same energy (tumbling.h). The angular velocity at R_f
 * is w_f = I_f^-1 L, with I_f = R_f I R_f^T. With forces, a step is A v+ = rhs with
 *
 *     A = [m + theta dt c, 0; 0, I_f + theta dt c_w],   rhs = [m v + dt m g - (1 - theta) dt c v;  L - (1 - theta) dt c_w w_f]
 *     x+ = x + dt (theta v+ + (1 - theta) v),     R+ = exp(theta dt (w+ - w_f)) R_f,     L+ = I_f w+.
 *
 * So angular impulses change L exactly, there is no gyroscopic term to linearise, and theta only weights the effect of forces:
 * free tumbling has neither numerical damping nor drift. The works of impulses and of the scheme are those of docs/world.md, with
 * w+ - w_f as the change of the angular velocity.
 *
 * A material point at p from the centre (in world axes) moves with v + w x p. The mass is distributed over the sphere and the
 * capsule, or over the box or mesh without their rounding, which only affects contact.
 *
 * For contact, a sphere and a capsule are a piece of a centreline. A box and a mesh are a solid for contacts with centrelines,
 * and a surface of vertices, edges and faces for contacts with other surfaces (collide/detect_features.h). */
#ifndef CST_RIGID_RIGID_SPACE_H
#define CST_RIGID_RIGID_SPACE_H

#include "body/body.h"

/* Returns false with a message if the definition is not valid or memory ran out. The body owns copies of all data and is freed by
 * `destroy` of its class. The caller handles name, surface and cookie of the definition. */
bool cst_rigid_space_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

#endif
