#include "scene/wind.h"

#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "math/vector3.h"
#include "scene/values.h"

enum { SAMPLES_PER_PERIOD = 12, SAMPLES_MOST = 100000 };

static const double pi = 3.14159265358979323846, golden = 1.6180339887498949;

/* Computes the gust factor, by which the gusts multiply the mean force of the wind, at equally spaced times. `late`: delay (s) of
 * the gusts at the loaded point, relative to the origin. Returns the number of times. */
static int sample(const cst_json *wind, double duration, double late, cst_arena *scratch, double **time, double **factor)
{
    const double gust = cst_get_real(wind, "gust"), period = cst_get_real(wind, "period");
    const double wanted = ceil(duration / period * SAMPLES_PER_PERIOD) + 2.0;
    const int samples = (int)fmin(wanted, SAMPLES_MOST);
    cst_rng rng;
    cst_rng_seed(&rng, (uint64_t)cst_get_integer(wind, "seed"), 0);
    const double first = cst_rng_range(&rng, 0.0, 2.0 * pi), second = cst_rng_range(&rng, 0.0, 2.0 * pi);
    *time = CST_TAKE(scratch, double, samples);
    *factor = CST_TAKE(scratch, double, samples);
    for (int i = 0; *time && *factor && i < samples; i++) {
        const double t = i * period / SAMPLES_PER_PERIOD, phase = 2.0 * pi * (t - late) / period;
        (*time)[i] = t;
        (*factor)[i] = 1.0 + gust * (0.6 * sin(phase + first) + 0.4 * sin(golden * phase + second));
    }
    return samples;
}

bool cst_scene_blow(const cst_json *wind, double duration, const cst_blown *fiber, cst_world *world, cst_arena *scratch,
                    char *why, size_t size)
{
    double w[3], x[3];
    cst_get_vector(wind, "velocity", w);
    const double square = cst_dot3(w, w), l = fiber->length / fiber->elements;
    snprintf(why, size, "out of memory");
    for (int i = 0; i < fiber->elements && square > 0.0; i++) {
        const cst_arena_mark mark = cst_arena_mark_now(scratch);
        cst_load_def def = cst_load_def_default();
        def.at = (cst_place){.body = fiber->body, .s = (i + 0.5) * l};
        for (int k = 0; k < 3; k++)
            def.force[k] = fiber->drag * l * w[k];
        if (cst_get_real(wind, "gust") > 0.0) {
            double *time, *factor;
            cst_world_place_space(world, &def.at, x, NULL, NULL, NULL);
            def.times = sample(wind, duration, cst_dot3(x, w) / square, scratch, &time, &factor);
            def.time = time;
            def.factor = factor;
        }
        if (scratch->failed || cst_world_add_load(world, &def, why, size) == 0)
            return false;
        cst_arena_release(scratch, mark);
    }
    return true;
}
