/* Duration and output intervals of a run, as multiples of the time step dt. */
#include <math.h>

#include "scene/check.h"
#include "scene/define.h"
#include "scene/sense.h"
#include "scene/values.h"

enum { FRAMES_PER_CHECKPOINT = 10 };

#define MOST_STEPS 1e12

/* Returns the number of steps of length dt in the time interval that the JSON value `node` gives. If the interval is not a
 * multiple of dt (relative tolerance 1e-6), reports an error and returns 0. */
static int64_t steps_in(cst_json *node, bool per_second, double dt, cst_mistakes *mistakes)
{
    double interval = per_second ? 1.0 / node->number : node->number, steps = interval / dt, whole = round(steps);
    if (whole >= 1.0 && fabs(steps - whole) <= 1e-6 * whole && whole <= MOST_STEPS)
        return (int64_t)whole;
    if (!(steps <= MOST_STEPS)) {
        cst_mistake_at(mistakes, node, "is more than %g steps of dt = %g s", MOST_STEPS, dt);
        return 0;
    }
    double below = fmax(floor(steps), 1.0), above = below + 1.0;
    if (per_second)
        cst_mistake_at(
            mistakes, node,
            "%g frames per second is a frame every %.4g steps of dt = %g s: expected a whole number of them, for example "
            "%.10g or %.10g, or dt = %.10g s",
            node->number, steps, dt, 1.0 / (below * dt), 1.0 / (above * dt), interval / ceil(steps));
    else
        cst_mistake_at(mistakes, node, "%g s is not a multiple of dt = %g s: expected for example %.10g or %.10g", interval, dt,
                       below * dt, above * dt);
    return 0;
}

void cst_scene_check_run(const cst_json *root, cst_mistakes *mistakes, cst_scene_run *out)
{
    const cst_json *output = cst_given(root, "output"), *step = cst_given(root, "time_step");
    cst_json *interval = cst_given(output, "frame_interval"), *rate = cst_given(output, "frames_per_second");
    cst_json *duration = cst_given(root, "duration"), *checkpoint = cst_given(output, "checkpoint_interval");
    cst_json none = {.kind = CST_JSON_OBJECT, .role = cst_section_key(&cst_scene_section, "output")->section};
    double dt = cst_scene_dt(root);
    bool known = (step || !cst_json_find(root, "time_step")) && !(cst_json_find(step, "dt") && !cst_given(step, "dt"));
    *out = (cst_scene_run){.duration = cst_get_real(root, "duration"),
                           .steps_per_frame = (int64_t)fmax(1.0, fmin(round(1.0 / (30.0 * dt)), MOST_STEPS)),
                           .samples = (int)cst_get_integer(output ? output : &none, "samples"),
                           .save_contacts = cst_get_bool(output ? output : &none, "contacts"),
                           .detail = (cst_scene_detail)cst_get_choice(output ? output : &none, "detail"),
                           .equilibrium_first = cst_get_bool(root, "equilibrium_first"),
                           .until_rest = cst_get_real(root, "until_rest")};
    if (!known)
        return;
    if (interval || rate)
        out->steps_per_frame = steps_in(interval ? interval : rate, !interval, dt, mistakes);
    out->frame_interval = (double)out->steps_per_frame * dt;
    double total = out->duration / dt;
    if (!(total <= MOST_STEPS) && duration)
        cst_mistake_at(mistakes, duration, "is more than %g steps of dt = %g s", MOST_STEPS, dt);
    else
        out->total_steps = (int64_t)fmax(1.0, ceil(total * (1.0 - 1e-9)));
    if (out->steps_per_frame == 0)
        return;
    double most = floor(MOST_STEPS / (double)out->steps_per_frame);
    double frames = checkpoint ? round(checkpoint->number / out->frame_interval) : FRAMES_PER_CHECKPOINT;
    out->checkpoint_steps = (int64_t)fmax(1.0, fmin(frames, most)) * out->steps_per_frame;
}
