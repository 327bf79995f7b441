/* Cost of a run: memory, disk space and time per step. The constants for memory and time were measured on rods in free fall over
 * 20 steps: one rod of 20000 elements, and 500 rods of 20 elements. An element takes 2 kB (planar rod) to 6.5 kB (super-helix) of
 * memory. A step takes 2 to 9 us of time for each element of a rod. A drawn vertex takes 8 to 16 bytes per frame in the cache
 * file of a run. Without any body, the program takes 20 MB of memory. Each contact takes 100 bytes per frame in the cache file of
 * a run. */
#include <math.h>
#include <stdio.h>

#include "examine/summary.h"
#include "scene/values.h"

static const double COMMAND_BYTES = 20e6, PLANAR_BYTES = 2e3, FIBER_BYTES = 6.5e3, RIGID_BYTES = 5e3;
static const double VERTEX_BYTES = 12.0, CONTACT_BYTES = 100.0, STEP_BYTES = 150.0; /* on the disk */
static const double ELEMENT_SECONDS = 5e-6;
static const double MOST_ELEMENTS = 2e5;
static const double TOO_FINE = 0.1; /* smallest length of the longest element, in radii, that gives no warning */
/* fraction of the machine's memory, or of the free disk space, above which a run gives a warning */
static const double SHARE = 0.8;

double cst_memory_expected(const cst_scene *scene)
{
    double elements = 0.0;
    for (int i = 0; i < scene->names.bodies; i++) {
        const cst_json *node = scene->names.body[i].node, *points = cst_given(node, "points");
        if (cst_is_slender(scene->names.body + i))
            elements += cst_get_real_or(node, "elements", points ? points->count - 1.0 : 0.0);
    }
    const double element = cst_scene_dim(scene->root) == 2 ? PLANAR_BYTES : FIBER_BYTES;
    return COMMAND_BYTES + element * elements + RIGID_BYTES * scene->names.bodies;
}

static void estimate(cst_subject *subject)
{
    const cst_scene_run *run = subject->run;
    const double frames = 1.0 + floor((double)run->total_steps / (double)run->steps_per_frame);
    const double contacts = run->save_contacts && cst_world_obstacles(subject->world) + cst_world_bodies(subject->world) > 1
                                ? 0.5 * (double)subject->elements
                                : 0.0;
    subject->memory = cst_memory_expected(subject->scene);
    subject->output =
        frames * (VERTEX_BYTES * (double)subject->vertices + CONTACT_BYTES * contacts) + STEP_BYTES * (double)run->total_steps;
}

static void look_at_elements(cst_subject *subject)
{
    const cst_kind *most = NULL;
    for (int i = 0; i < subject->kinds; i++) {
        const cst_kind *kind = subject->kind + i;
        if (kind->slender && (!most || (double)kind->elements * kind->count > (double)most->elements * most->count))
            most = kind;
        if (kind->slender && kind->longest < TOO_FINE * kind->radius && kind->radius <= 0.5 * kind->length)
            cst_find(&subject->findings, "fine", kind->node, "elements",
                     "elements of %.3g m are %.2g of its radius of %.3g m: finer than a rod is one\nuse %.0f elements or fewer",
                     kind->longest, kind->longest / kind->radius, kind->radius, fmax(1.0, floor(kind->length / kind->radius)));
    }
    if (most && (double)subject->elements > MOST_ELEMENTS)
        cst_find(&subject->findings, "many-elements", most->node, "elements",
                 "%.3g elements in all: %.2g s or more for each of the %lld steps, contacts not counted\nuse fewer: errors fall "
                 "with the square of the length of an element, 20 to 100 do for a rod",
                 (double)subject->elements, ELEMENT_SECONDS * (double)subject->elements, (long long)subject->run->total_steps);
}

void cst_look_at_memory(cst_subject *subject)
{
    char taken[32], there[32];
    subject->memory = cst_memory_expected(subject->scene);
    if (subject->machine.memory > 0.0 && subject->memory > SHARE * subject->machine.memory)
        cst_find(&subject->findings, "memory", subject->root, NULL,
                 "it takes about %s of memory before contacts; there are %s%s\nuse fewer bodies or elements",
                 cst_bytes_text(subject->memory, taken), cst_bytes_text(subject->machine.memory, there),
                 subject->world ? "" : ": it was not built, and nothing else looked at");
}

void cst_look_at_cost(cst_subject *subject)
{
    const cst_json *output = cst_given(subject->root, "output");
    estimate(subject);
    look_at_elements(subject);
    cst_look_at_memory(subject);
    char taken[32], there[32];
    /* If the scene has more than 1e7 steps, look_time.c warns about the number of steps, and disk space is not reported. */
    const bool ends = (double)subject->run->total_steps <= 1e7;
    if (subject->machine.disk > 0.0 && ends && subject->output > SHARE * subject->machine.disk)
        cst_find(&subject->findings, "disk", output ? output : subject->root, output ? "frame_interval" : NULL,
                 "results take about %s; %s are free\nset output.frame_interval to %.2g s, or make room",
                 cst_bytes_text(subject->output, taken), cst_bytes_text(subject->machine.disk, there),
                 subject->run->frame_interval * ceil(2.0 * subject->output / subject->machine.disk));
}
