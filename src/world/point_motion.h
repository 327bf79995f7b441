/* Room for the motion of a material point, and what it says of a velocity. */
#ifndef CST_WORLD_POINT_MOTION_H
#define CST_WORLD_POINT_MOTION_H

#include "base/arena.h"
#include "body/body.h"

/* The arrays of *out, for points with up to `dofs` dofs. False: out of memory. */
bool cst_point_motion_room(cst_arena *arena, int dofs, int dim, cst_point_motion *out);

/* The arrays of *out, large enough for any point of the body. False: out of memory. */
bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out);

/* Velocity and turning rate of the point at the end of the step, J v + drift, for the velocities v of its body. Both have 3
 * components (plane: turn is about z). */
void cst_point_motion_velocity(const cst_point_motion *point, int dim, const double *v, double *velocity, double *turn);

/* Entry k of J^T force + J_turn^T moment: what its dof k is pushed by. */
double cst_point_motion_along(const cst_point_motion *point, int dim, int k, const double *force, const double *moment);

/* f += J^T force + J_turn^T moment */
void cst_point_motion_push(const cst_point_motion *point, int dim, const double *force, const double *moment, double *f);

#endif
