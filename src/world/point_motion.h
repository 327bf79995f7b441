/* Buffers for the motion of a material point (cst_point_motion), and products with the Jacobian of the material point. */
#ifndef CST_WORLD_POINT_MOTION_H
#define CST_WORLD_POINT_MOTION_H

#include "base/arena.h"
#include "body/body.h"

/* Allocates the arrays of *out for material points that depend on at most `dofs` dofs. Returns false if memory ran out. */
bool cst_point_motion_room(cst_arena *arena, int dofs, int dim, cst_point_motion *out);

/* Allocates the arrays of *out, large enough for any material point of the body. Returns false if memory ran out. */
bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out);

/* Computes the velocity and the angular velocity of a material point at the end of the step from the velocities v of its body,
 * including imposed motions. The velocity and the angular velocity each have 3 components; in 2D the rotation is about z. */
void cst_point_motion_velocity(const cst_point_motion *point, int dim, const double *v, double *velocity, double *turn);

/* Returns the generalised force that a force and a moment at a material point exert on the k-th of the dofs that move this
 * point. */
double cst_point_motion_along(const cst_point_motion *point, int dim, int k, const double *force, const double *moment);

/* Adds the generalised forces due to a force and a moment at a material point to the vector f (dofs of the body). */
void cst_point_motion_push(const cst_point_motion *point, int dim, const double *force, const double *moment, double *f);

#endif
