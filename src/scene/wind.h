/* Wind on fibers that have drag. The force of the air on an element of a fiber is:
 *     `c*l*(w*f-v)`.
 *
 * Symbols:
 *     `w`: mean velocity of the air; `e`: unit vector along w.
 *     `f`: gust factor.
 *     `v`: velocity of the element.
 *     `l`: length of the element.
 *     `c`: drag coefficient, kg/(m s).
 *     `g`, `T`: strength, period of gusts.
 *     `p1`, `p2`: random phases of the two sine waves of the gusts, drawn with the seed that the scene gives for the wind.
 *
 * The part -c*l*v of the force (c: drag coefficient, l: length of the element, v: its velocity) is the drag in air at rest; the
 * time integration treats it implicitly. The part c*l*w*f (w: mean wind velocity, f: gust factor) is applied as a load at the
 * middle of the element, and the energy budget counts its work as work of loads. The gust factor consists of two sine waves:
 *     `f(t) = 1+g*(0.6*sin(2*pi*t/T+p1)+0.4*sin(2*pi*(1+sqrt(5))*t/(2*T)+p2))`.
 *
 * The ratio of the two periods of the gust factor is irrational, so that the gusts never repeat. The gust factor is sampled
 * twelve times per gust period T and interpolated linearly. The gust factor has at most 100000 samples, and stays constant after
 * the last sample. Gusts travel with the wind: at an element with the initial position x, the gust factor is delayed by the
 * travel time from the origin:
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

/* Adds the loads of the wind on a fiber to the world. `duration`: of the scene (s). */
bool cst_scene_blow(const cst_json *wind, double duration, const cst_blown *fiber, cst_world *world, cst_arena *scratch,
                    char *why, size_t size);

#endif
