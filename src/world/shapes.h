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

/* Bodies joined to each other by an active constraint do not touch each other, nor do those that were told so: their pairs in
 * increasing order. Room for constraints + aparts of the world in both. */
int cst_shapes_list_apart(const cst_attempt *attempt, cst_owner_pair *apart, cst_owner_pair *scratch);

#endif
