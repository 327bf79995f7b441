/* Wind on fibers that have drag.
 *
 * The air velocity is w f(t - x.e / |w|), with e along w and x the initial middle of a piece of a fiber: gusts travel with the
 * wind and reach one hair after the other. A piece of length l with drag c (kg/(m s)) feels the force c l (w f - v). The term
 * -c l v, with the velocity v of the piece, is the fiber's own drag and is treated implicitly. The term c l w f is a load on
 * the middle of each element, and its work is counted as work of loads. With g and T the strength and the period of gusts,
 *
 *     f(t) = 1 + g (0.6 sin(2 pi t / T + p1) + 0.4 sin(2 pi (1 + sqrt 5) t / 2 T + p2)),
 *
 * two periods without a common multiple; the phases p1 and p2 come from the seed. The function f is sampled twelve times per
 * period and interpolated linearly. */
#ifndef CST_SCENE_WIND_H
#define CST_SCENE_WIND_H

#include "base/arena.h"
#include "capstan/capstan.h"
#include "scene/json.h"

typedef struct cst_blown {
    cst_body_id body;
    int elements;
    double length, drag;
} cst_blown;

/* Adds the loads of the wind on a fiber to the world. `duration`: duration of the scene, s. Returns false and sets `why` on
 * failure. */
bool cst_scene_blow(const cst_json *wind, double duration, const cst_blown *fiber, cst_world *world, cst_arena *scratch,
                    char *why, size_t size);

#endif
