/* Prescribed motions, given by keyframes. A keyframe has a time, a translation and a rotation vector (in 2D, only the third
 * component of the rotation vector is used). Each component is interpolated separately between two keyframes. Symbols:
 *     `x_a`, `x_b`: values of the component at the earlier and at the later keyframe.
 *     `s`: fraction of the time between the two keyframes, 0 to 1.
 *
 * Between two keyframes, a component of a motion is interpolated linearly (x_linear) or by a cubic polynomial (x_smooth):
 *     `x_linear = x_a+(x_b-x_a)*s`.
 *     `x_smooth = x_a+(x_b-x_a)*(3*s^2-2*s^3)`.
 *
 * A motion without a period rests before its first keyframe and after its last keyframe. The velocity of a linear motion jumps at
 * a keyframe; exactly at the keyframe, the velocity of the later interval is returned. Each period of a periodic motion starts
 * where the previous period ended, so a turning drum needs only two keyframes. */
#ifndef CST_BODY_MOTION_H
#define CST_BODY_MOTION_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Checks that the times of the keyframes are finite and increase, that the translations and rotations are finite, and that the
 * period is valid. If the motion is not valid, returns false and writes a message that starts with the text `what`. */
bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size);

/* Copies a motion into the arena. Returns false if memory ran out. */
bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out);

/* Computes the motion at `time`. Each of the output arrays `translation`, `rotation`, `velocity` and `turn_rate` may be NULL. */
void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3]);

#endif
