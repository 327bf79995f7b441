/* Starts bodies in the final state of another run: for example hair that has come to rest on a head, with all its internal
 * forces.
 *
 * States and velocities are copied bit by bit from the last frame of the other run. The contacts of the other run are not
 * copied; the first step detects contacts anew. With the same gravity, friction and natural shapes, bodies that were at rest
 * stay at rest. */
#ifndef CST_RUN_BEGIN_FROM_H
#define CST_RUN_BEGIN_FROM_H

#include "capstan/capstan.h"

/* `speed`: receives the speed (m/s) of the fastest vertex of all bodies. Returns false with a message if the runs have bodies of
 * different number or names, if the last frame of the earlier run contains no states, or if the position of a clamped root
 * differs between the runs. */
bool cst_begin_from(cst_world *world, const char *run, double *speed, char *message, size_t size);

#endif
