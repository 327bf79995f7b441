/* Bodies that begin as another run ended: hair that has come to rest on a head, with all that presses and holds it.
 *
 * States are taken from the last frame of the other run, bit by bit, velocities too. Contacts are found anew in the first step: with the same gravity,
 * friction and natural shapes what was at rest is at rest. */
#ifndef CST_RUN_BEGIN_FROM_H
#define CST_RUN_BEGIN_FROM_H

#include "capstan/capstan.h"

/* speed: m/s, of the fastest vertex. False with a message: another number of bodies, another body, no states, a clamped root that is elsewhere. */
bool cst_begin_from(cst_world *world, const char *run, double *speed, char *message, size_t size);

#endif
