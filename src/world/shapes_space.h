/* The shapes of a world in space as collide sees them: attempt->space. */
#ifndef CST_WORLD_SHAPES_SPACE_H
#define CST_WORLD_SHAPES_SPACE_H

#include "world/attempt.h"

/* Memory for the shapes. False: out of memory. */
bool cst_space_begin(cst_attempt *attempt);

/* Bodies as they are placed now, obstacles at `time`; with margins for the step, or without. */
void cst_space_place(cst_attempt *attempt, double time, bool margins);

#endif
