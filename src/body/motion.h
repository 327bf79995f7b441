/* Prescribed motions: keyframes of a translation and a rotation vector (third component only in the plane), componentwise.
 *
 * Between keys a and b, with s = (t - t_a)/(t_b - t_a):   x = x_a + (x_b - x_a) f(s),   f = s  or  3 s^2 - 2 s^3 if smooth.
 * Constant, and at rest, before the first key and after the last. At a key of a linear motion the velocity is that of the
 * interval that begins there. A periodic motion goes on in every period from where the last one ended: it is continuous even if
 * its last key differs from its first (a turning drum). */
#ifndef CST_BODY_MOTION_H
#define CST_BODY_MOTION_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* False with a message that begins with `what` unless times are finite and increase, values are finite, and a period fits. */
bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size);

/* A copy whose keys live in the arena; false: out of memory. */
bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out);

/* Any of the four may be NULL. */
void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3]);

#endif
