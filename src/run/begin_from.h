/* Starts all bodies of a world in the final state of an earlier run: for example hair that has come to rest on a head, with all
 * its internal forces.
 *
 * States and velocities are copied bit by bit from the last saved frame of the earlier run. The contacts of the earlier run are
 * not copied; the first step of the new run detects contacts anew. Bodies that were at rest stay at rest if both runs have the
 * same gravity, friction and natural shapes. */
#ifndef CST_RUN_BEGIN_FROM_H
#define CST_RUN_BEGIN_FROM_H

#include "capstan/capstan.h"

/* `speed`: receives the speed (m/s) of the fastest vertex of all bodies at the start of the new run. Returns false with a message
 * if the earlier run cannot be read or has no frame, or if its last frame contains no states. Also returns false if the runs
 * differ in the number, the names or the state sizes of their bodies, or in the position of a clamped root. */
bool cst_begin_from(cst_world *world, const char *run, double *speed, char *message, size_t size);

#endif
