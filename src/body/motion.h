/* Prescribed motions are given by keyframes of a translation and of a rotation vector (in 2D only its third component). Each
 * component is interpolated separately, linearly or smoothly, between the values x_a and x_b of two keys, where s is the fraction
 * of the time between the keys:
 *     Linear: `x_a+(x_b-x_a)*s`.
 *     Smooth: `x_a+(x_b-x_a)*(3*s^2-2*s^3)`.
 *
 * Before the first key and after the last key, translation and rotation are constant. The velocity of a linear motion jumps at a
 * key; at the time of the key, it is the velocity of the interval that starts there. Each period of a periodic motion starts
 * where the previous period ended, so the motion is continuous even if its last key differs from its first key (a turning
 * drum). */
#ifndef CST_BODY_MOTION_H
#define CST_BODY_MOTION_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Checks that the times of a motion are finite and increasing, that its values are finite, and that its period is valid.
 * If a motion is not valid, the function returns false and writes a message that starts with the text `what`. */
bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size);

/* Copies a motion; the keys of the copy are in the arena. Returns false if memory ran out. */
bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out);

/* Computes the motion at `time`. Each of the output arrays translation, rotation, velocity and turn_rate may be NULL. */
void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3]);

#endif
