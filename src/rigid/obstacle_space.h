/* The 3D part of obstacles. */
#ifndef CST_RIGID_OBSTACLE_SPACE_H
#define CST_RIGID_OBSTACLE_SPACE_H

#include "rigid/obstacle.h"

/* Checks the shape of a 3D obstacle. The caller has already checked position, radius (>= 0) and motion. */
bool cst_obstacle_space_check(const cst_obstacle_def *def, char *message, size_t message_size);

/* Replaces the frame of the obstacle by the nearest rotation matrix, or computes it for a plane. Copies the mesh and its deformed
 * shapes, so that the caller's arrays are no longer needed, and creates the collision data. Returns false with a message if the
 * frame or the orientation of the mesh is not valid or memory ran out; the obstacle then holds no memory outside the arena. */
bool cst_obstacle_space_keep(cst_obstacle *obstacle, cst_arena *arena, char *message, size_t message_size);

cst_drawing cst_obstacle_space_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);

#endif
