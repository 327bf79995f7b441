/* Prescribed motions are given by keyframes of a translation and of a rotation vector (in 2D only its third component). Each
 * component is interpolated separately, linearly or smoothly, between the values x_a and x_b of two keyframes, where s is the
 * fraction of the time between the keyframes:
 *     Linear: `x_a+(x_b-x_a)*s`.
 *     Smooth: `x_a+(x_b-x_a)*(3*s^2-2*s^3)`.
 *
 * Before the first keyframe and after the last keyframe, translation and rotation are constant. The velocity of a linearly
 * interpolated motion jumps at a keyframe; at the time of the keyframe, it is the velocity of the interval that starts there.
 * Each period of a periodic motion starts where the previous period ended, so the motion is continuous even if its last keyframe
 * differs from its first keyframe (a turning drum). */
#ifndef CST_BODY_MOTION_H
#define CST_BODY_MOTION_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Checks that the keyframe times of a prescribed motion are finite and increasing, that its values are finite, and that its
 * period is valid. If the motion is not valid, returns false and writes a message that starts with the text `what`. */
bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size);

/* Copies a prescribed motion; the memory for the copied keyframes is taken from the arena. Returns false if memory ran out. */
bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out);

/* Computes the motion at `time`. Each of the output arrays translation, rotation, velocity and turn_rate may be NULL. */
void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3]);

#endif
