/* The contacts of a world: found, tracked, held. */
#ifndef CST_WORLD_DETECTION_H
#define CST_WORLD_DETECTION_H

#include "world/attempt.h"

/* Contacts of the bodies as they are placed now and the obstacles at `time`, tracked from `before`: attempt->contact, with rows not
 * yet made. scale: of the impulses of before. False: out of memory. */
bool cst_detection_run(cst_attempt *attempt, double time, const cst_contact *before, int count_before, double scale);

/* The contacts that there are, at the same points of side a, where the bodies are placed now. */
void cst_detection_follow(cst_attempt *attempt, double time);

/* Deepest penetration (m) of the bodies as they are placed now and the obstacles at `time`; *relative: the deepest in contact
 * radii. Negative: out of memory. */
double cst_detection_depth(cst_attempt *attempt, double time, double *relative);

#endif
