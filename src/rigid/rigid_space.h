/* Rigid bodies in space: sphere, capsule, box, closed mesh.
 *
 * State: place x of the centre of mass, rotation R (columns: the axes of the body), velocity, angular momentum L about x in the axes
 * of the world. Unknowns of a step v = (velocity, angular velocity w), both in the axes of the world. Without forces L stays and R
 * goes, with exactly the same energy, to R_f (tumbling.h), where the angular velocity is w_f = I_f^-1 L, I_f = R_f I R_f^T. Forces
 * act on that:
 *
 *     A = [m + theta dt c, 0; 0, I_f + theta dt c_w],   rhs = [m v + dt m g - (1 - theta) dt c v;  L - (1 - theta) dt c_w w_f]
 *     x+ = x + dt (theta v+ + (1 - theta) v),     R+ = exp(theta dt (w+ - w_f)) R_f,     L+ = I_f w+
 *
 * so angular impulses change L by themselves exactly, there is no gyroscopic term to linearise, and theta weighs only what forces
 * do: free tumbling has neither numerical damping nor drift. Work of impulses P and of the scheme as in docs/world.md, with
 * w+ - w_f as the change of the angular velocity.
 *
 * A material point at p from the centre (turned into the world) moves with v + w x p. Mass is spread over the sphere and the capsule,
 * or over the box or mesh without their rounding, which is for contact only.
 *
 * To others a sphere and a capsule are a piece of a centreline. A box and a mesh are a solid, which centrelines touch, and a surface
 * of vertices, edges and faces, which touches the surfaces of others (collide/detect_features.h). */
#ifndef CST_RIGID_RIGID_SPACE_H
#define CST_RIGID_RIGID_SPACE_H

#include "body/body.h"

/* False with a message if the definition makes no sense or memory ran out. The body owns copies of all it was given and is freed
 * by its class's destroy. Name, surface and cookie are the world's business. */
bool cst_rigid_space_create(const cst_rigid_def *def, const cst_allocator *allocator, cst_body_model *out, char *message,
                            size_t message_size);

#endif
