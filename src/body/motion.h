/* Prescribed motions: keyframes of a translation and a rotation vector (in 2D only its third component), interpolated by
 * component.
 *
 * Between keys a and b, with s = (t - t_a)/(t_b - t_a):   x = x_a + (x_b - x_a) f(s),   f = s  or  3 s^2 - 2 s^3 if smooth.
 * Before the first key and after the last key, translation and rotation are constant. At a key of a linear motion, the velocity
 * is the velocity of the interval that starts at this key. Each period of a periodic motion starts where the previous period
 * ended: the motion is continuous even if its last key differs from its first key (a turning drum). */
#ifndef CST_BODY_MOTION_H
#define CST_BODY_MOTION_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Returns false and writes a message that starts with `what` unless the times are finite and increasing, the values are
 * finite, and the period is valid. */
bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size);

/* Copies a motion; the keys of the copy are in the arena. Returns false if memory ran out. */
bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out);

/* Computes the motion at `time`. Any of the four outputs may be NULL. */
void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3]);

#endif
