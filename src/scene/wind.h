/* Wind on fibers that have drag.
 *
 * The air moves with the velocity w f, where w is the mean velocity and the factor f describes gusts. An element of length l
 * and drag coefficient c (kg/(m s)) that moves with the velocity v is subject to the force c l (w f - v). The part of the force
 * that depends on the velocity v, -c l v, is the drag of the fiber in air at rest, and is treated implicitly. The part of the
 * force that depends on the wind, c l w f, is a load on the middle of the element, and its work is counted as work of loads.
 * The factor of the wind at the time t is
 *
 *     f(t) = 1 + g (0.6 sin(2 pi t / T + p1) + 0.4 sin(2 pi (1 + sqrt 5) t / (2 T) + p2)),
 *
 * where g is the strength of the gusts and T is their period. The ratio of the two periods in the gust factor f is irrational,
 * so that the gusts never repeat. The phases p1 and p2 of the gusts are random and come from the seed. The gust factor f is
 * sampled twelve times per period T and interpolated linearly. Gusts travel with the wind: an element at the initial position
 * x, with e the unit vector along w, has the factor f(t - x.e / |w|). */
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
