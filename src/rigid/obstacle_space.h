/* The 3D part of obstacles, used by obstacle.c. */
#ifndef CST_RIGID_OBSTACLE_SPACE_H
#define CST_RIGID_OBSTACLE_SPACE_H

#include "rigid/obstacle.h"

/* Checks the 3D shapes; the caller has already checked the position, the radius (>= 0) and the motion. */
bool cst_obstacle_space_check(const cst_obstacle_def *def, char *message, size_t message_size);

/* Copies the frame, the mesh and the shapes of the mesh of an obstacle's definition, so that the caller's arrays are not needed
 * after the call. */
bool cst_obstacle_space_keep(cst_obstacle *obstacle, cst_arena *arena, char *message, size_t message_size);

cst_drawing cst_obstacle_space_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);

#endif
