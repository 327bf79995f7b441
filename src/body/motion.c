#include "body/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/rotation_vector.h"

static bool key_is_finite(const cst_key *key)
{
    bool finite = isfinite(key->time);
    for (int i = 0; i < 3; ++i)
        finite = finite && isfinite(key->translation[i]) && isfinite(key->rotation[i]);
    return finite;
}

bool cst_motion_check(const cst_motion *motion, const char *what, char *message, size_t message_size)
{
    if (motion->keys < 0 || (motion->keys > 0 && !motion->key)) {
        snprintf(message, message_size, "%s: %d keys, but no list of them", what, motion->keys);
        return false;
    }
    for (int i = 0; i < motion->keys; ++i) {
        if (!key_is_finite(&motion->key[i])) {
            snprintf(message, message_size, "%s: key %d is not finite", what, i);
            return false;
        }
        if (i > 0 && motion->key[i].time <= motion->key[i - 1].time) {
            snprintf(message, message_size, "%s: times must increase, but key %d is at %g s after %g s", what, i,
                     motion->key[i].time, motion->key[i - 1].time);
            return false;
        }
    }
    if (!isfinite(motion->period) || motion->period < 0.0) {
        snprintf(message, message_size, "%s: the period must be 0 or more, not %g s", what, motion->period);
        return false;
    }
    if (motion->period > 0.0 && motion->keys > 0) {
        double first = motion->key[0].time, last = motion->key[motion->keys - 1].time;
        if (motion->keys < 2 || fabs(first) > 1e-12 * motion->period || fabs(last - motion->period) > 1e-12 * motion->period) {
            snprintf(message, message_size, "%s: with a period of %g s the first key must be at 0 s and the last at the period",
                     what, motion->period);
            return false;
        }
    }
    return true;
}

bool cst_motion_copy(cst_arena *arena, const cst_motion *motion, cst_motion *out)
{
    cst_key *key = CST_TAKE(arena, cst_key, motion->keys);
    if (!key)
        return false;
    if (motion->keys > 0)
        memcpy(key, motion->key, (size_t)motion->keys * sizeof *key);
    *out = *motion;
    out->key = key;
    return true;
}

/* Interpolation between the keyframes `from` and `from + 1` of a motion.
 * `weight`: weight of keyframe `from + 1` in the interpolation.
 * `rate`: time derivative of the weight. */
typedef struct between {
    int from;
    double weight, rate;
} between;

static between find(const cst_motion *motion, double time)
{
    const cst_key *key = motion->key;
    int last = motion->keys - 1;
    if (last == 0 || time < key[0].time)
        return (between){0, 0.0, 0.0};
    if (time >= key[last].time)
        return (between){last - 1, 1.0, 0.0};
    int low = 0, high = last; /* key[low].time <= time < key[high].time */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (key[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    double span = key[high].time - key[low].time;
    double s = (time - key[low].time) / span;
    if (motion->smooth)
        return (between){low, s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / span};
    return (between){low, s, 1.0 / span};
}

static void blend(between at, const double *from, const double *to, double turns, const double *first, const double *last,
                  double *value, double *rate)
{
    for (int i = 0; i < 3; ++i) {
        double step = to[i] - from[i];
        if (value) /* at weight 1, the result is exactly the value of the later keyframe */
            value[i] = (at.weight < 1.0 ? from[i] + at.weight * step : to[i]) + turns * (last[i] - first[i]);
        if (rate)
            rate[i] = at.rate * step;
    }
}

/* Adds, to the displacement and the velocity of a body's reference point, the part that is caused by a rotation about another
 * point. `about`: vector from the reference point to the centre of rotation. */
static void turn_about(const double *about, const double *rotation, const double *rate, double *translation, double *velocity)
{
    double R[9], arm[3], turn[3], sideways[3];
    cst_rotation_vector_exp(rotation, R);
    cst_apply3(R, about, arm);
    cst_rotation_vector_mean(rotation, rate, turn);
    cst_cross3(turn, arm, sideways);
    for (int i = 0; i < 3; ++i) {
        if (translation)
            translation[i] += about[i] - arm[i];
        if (velocity)
            velocity[i] -= sideways[i];
    }
}

void cst_motion_sample(const cst_motion *motion, double time, double translation[3], double rotation[3], double velocity[3],
                       double turn_rate[3])
{
    double *outputs[4] = {translation, rotation, velocity, turn_rate};
    if (motion->keys == 0) {
        for (int i = 0; i < 4; ++i) {
            if (outputs[i])
                memset(outputs[i], 0, 3 * sizeof(double));
        }
        return;
    }
    double periods = motion->period > 0.0 ? floor(time / motion->period) : 0.0;
    between at = find(motion, time - periods * motion->period);
    const cst_key *first = &motion->key[0], *last = &motion->key[motion->keys - 1];
    const cst_key *from = &motion->key[at.from], *to = motion->keys > 1 ? from + 1 : from;
    blend(at, from->translation, to->translation, periods, first->translation, last->translation, translation, velocity);
    blend(at, from->rotation, to->rotation, periods, first->rotation, last->rotation, rotation, turn_rate);
    if (cst_dot3(motion->about, motion->about) > 0.0) {
        double turned[3], rate[3];
        blend(at, from->rotation, to->rotation, periods, first->rotation, last->rotation, turned, rate);
        turn_about(motion->about, turned, rate, translation, velocity);
    }
}
