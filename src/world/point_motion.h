/* Buffers for the motion of a material point (cst_point_motion), and products with its Jacobian. */
#ifndef CST_WORLD_POINT_MOTION_H
#define CST_WORLD_POINT_MOTION_H

#include "base/arena.h"
#include "body/body.h"

/* Allocates the arrays of *out for points with up to `dofs` dofs. Returns false if memory ran out. */
bool cst_point_motion_room(cst_arena *arena, int dofs, int dim, cst_point_motion *out);

/* Allocates the arrays of *out, large enough for any point of the body. Returns false if memory ran out. */
bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out);

/* Computes the velocity and the angular velocity of the point at the end of the step, J v + drift, from the velocities v of its
 * body. The velocity and the angular velocity have 3 components; in 2D the rotation is about z. */
void cst_point_motion_velocity(const cst_point_motion *point, int dim, const double *v, double *velocity, double *turn);

/* Returns entry k of J^T force + J_turn^T moment: the generalised force on dof k. */
double cst_point_motion_along(const cst_point_motion *point, int dim, int k, const double *force, const double *moment);

/* Adds J^T force + J_turn^T moment to f. */
void cst_point_motion_push(const cst_point_motion *point, int dim, const double *force, const double *moment, double *f);

#endif
