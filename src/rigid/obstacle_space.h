/* Obstacles of space: what obstacle.c leaves to them. */
#ifndef CST_RIGID_OBSTACLE_SPACE_H
#define CST_RIGID_OBSTACLE_SPACE_H

#include "rigid/obstacle.h"

/* Shapes of space only; position, radius >= 0 and motion are checked before. */
bool cst_obstacle_space_check(const cst_obstacle_def *def, char *message, size_t message_size);

/* Makes the copy of the definition in `obstacle` its own: frame, mesh and shapes of a mesh. */
bool cst_obstacle_space_keep(cst_obstacle *obstacle, cst_arena *arena, char *message, size_t message_size);

cst_drawing cst_obstacle_space_draw(const cst_obstacle *obstacle, double time, double *position, double *radius);

#endif
