/* Room for the motion of a material point, and what it says of a velocity. */
#ifndef CST_WORLD_POINT_MOTION_H
#define CST_WORLD_POINT_MOTION_H

#include "base/arena.h"
#include "body/body.h"

/* The arrays of *out, large enough for any point of the body. False: out of memory. */
bool cst_point_motion_take(cst_arena *arena, const cst_body_model *body, int dim, cst_point_motion *out);

/* Velocity and turning rate (plane: about z) of the point at the end of the step, J v + drift, for the velocities v of its body.
 * velocity (2) and turn (1). */
void cst_point_motion_velocity(const cst_point_motion *point, const double *v, double *velocity, double *turn);

/* f += J^T force + J_turn^T moment, in the plane: force (2). */
void cst_point_motion_push(const cst_point_motion *point, const double *force, double moment, double *f);

#endif
