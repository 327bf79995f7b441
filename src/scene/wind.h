/* Wind: what blows on fibers that have drag.
 *
 * The air moves with w f(t - x.e / |w|), e along w, x the middle of a piece of a fiber at first: gusts travel with the wind and reach one hair after the
 * other. A piece of length l with drag c (kg/(m s)) feels c l (w f - v): the part of v is the fiber's own drag, which is implicit; that of w
 * is a load on the middle of each element, whose work is counted as that of loads. With g and T the strength and the period of gusts,
 *
 *     f(t) = 1 + g (0.6 sin(2 pi t / T + p1) + 0.4 sin(2 pi (1 + sqrt 5) t / 2 T + p2)),
 *
 * two periods that have no common multiple; the phases come from the seed. f is sampled twelve times a period and is linear between. */
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

/* Loads of the wind on a fiber of the world. duration: s, of the scene. False: why, or out of memory. */
bool cst_scene_blow(const cst_json *wind, double duration, const cst_blown *fiber, cst_world *world, cst_arena *scratch,
                    char *why, size_t size);

#endif
