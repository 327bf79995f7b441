/* The shapes of a world as collide sees them, and the contacts that come of it. */
#ifndef CST_WORLD_DETECTION_H
#define CST_WORLD_DETECTION_H

#include "world/attempt.h"

/* Memory for the shapes. False: out of memory. */
bool cst_detection_begin(cst_attempt *attempt);

/* Contacts of the bodies as they are placed now and the obstacles at `time`, tracked from `before`: attempt->contact, with rows not
 * yet made. scale: of the impulses of before. False: out of memory. */
bool cst_detection_run(cst_attempt *attempt, double time, const cst_contact *before, int count_before, double scale);

/* Deepest penetration (m) of the bodies as they are placed now and the obstacles at `time`; *relative: the deepest in contact
 * radii. Negative: out of memory. */
double cst_detection_depth(cst_attempt *attempt, double time, double *relative);

#endif
