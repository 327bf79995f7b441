/* The shapes of a world as collide sees them: attempt->scene. */
#ifndef CST_WORLD_SHAPES_H
#define CST_WORLD_SHAPES_H

#include "world/attempt.h"

/* Memory for the shapes. False: out of memory. */
bool cst_shapes_begin(cst_attempt *attempt);

/* Bodies as they are placed now, obstacles at `time`; with margins for the step, or without. */
void cst_shapes_place(cst_attempt *attempt, double time, bool margins);

/* The same without margins, and with the bodies that are far from everything. */
void cst_shapes_place_all(cst_attempt *attempt, double time);

#endif
