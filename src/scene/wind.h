/* Wind on fibers that have drag.
 *
 * The velocity of the air is its mean velocity times a factor that describes gusts. Symbols:
 *     `w`: mean velocity of the air.
 *     `f`: gust factor.
 *     `v`: velocity of an element.
 *     `l`: its length.
 *     `c`: its drag coefficient, kg/(m s).
 *     `g`, `T`: strength, period of gusts.
 *     `p1`, `p2`: random phases.
 *
 * The force of the air on an element of a fiber follows from the drag coefficient, the wind and the velocity of the element:
 *     `c*l*(w*f-v)`.
 *
 * The part -c l v of the force of the air, with the drag coefficient c, the length l and the velocity v of the element, is the
 * drag in air at rest; the time step treats it implicitly. The part c l w f, with the mean velocity w of the air and the gust
 * factor f, is due to the motion of the air; it is applied as a load on the middle of the element, and its work counts as work
 * of loads. The gust factor at the time t is 1 plus two sine waves with different periods:
 *     `f(t) = 1+g*(0.6*sin(2*pi*t/T+p1)+0.4*sin(2*pi*(1+sqrt(5))*t/(2*T)+p2))`.
 *
 * The ratio of the two periods in the gust factor is irrational, so that the gusts never repeat. The random phases of the gusts
 * come from the seed of the wind. The gust factor is sampled twelve times per period of the gusts and interpolated linearly.
 * Gusts travel with the wind. At an element with the initial position x, the gust factor is delayed by the travel time of the
 * wind from the origin (e: unit vector along the wind, w: mean velocity of the air):
 *     `f(t-x.e/|w|)`. */
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

/* Adds the loads of the wind on a fiber to the world. `duration`: duration of the scene, s. False: failed, see `why`. */
bool cst_scene_blow(const cst_json *wind, double duration, const cst_blown *fiber, cst_world *world, cst_arena *scratch,
                    char *why, size_t size);

#endif
