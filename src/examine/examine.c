#include "examine/examine.h"

#include <stdio.h>

#include "examine/subject.h"
#include "examine/summary.h"
#include "scene/c_locale.h"

/* If the scene sets `equilibrium_first`, moves the bodies to their equilibrium, as `capstan run` does before the first step.
 * If no equilibrium is found, a warning is given, and the scene is examined in its initial shape. */
static void find_equilibrium(cst_subject *subject)
{
    int iterations = 0;
    char why[256] = "";
    if (subject->run->equilibrium_first && !cst_world_find_equilibrium(subject->world, 1e-10, &iterations, why, sizeof why))
        cst_find(&subject->findings, "no-equilibrium", subject->root, "equilibrium_first",
                 "the run will stop before its first step: %s\nclamp what is to hang or stand in equilibrium, or leave "
                 "equilibrium_first out",
                 why);
}

static bool look(cst_subject *subject, cst_examination *out)
{
    if (!cst_subject_begin(subject))
        return false;
    find_equilibrium(subject);
    cst_look_at_sizes(subject);
    cst_look_at_material(subject);
    cst_look_at_sheets(subject);
    cst_look_at_settings(subject);
    cst_look_at_time(subject);
    const bool seen = cst_look_at_start(subject);
    cst_look_at_course(subject);
    cst_look_at_cost(subject);
    out->bodies = cst_world_bodies(subject->world);
    out->obstacles = cst_world_obstacles(subject->world);
    out->constraints = cst_world_constraints(subject->world);
    out->summary = cst_summary(subject);
    out->finding = cst_findings_sorted(&subject->findings);
    out->findings = subject->findings.count;
    return seen && !out->arena.failed;
}

/* Checks the memory that a simulation of the scene needs, without building the simulation. */
static bool look_at_size(cst_subject *subject, cst_examination *out)
{
    cst_look_at_memory(subject);
    out->bodies = subject->scene->names.bodies;
    out->summary = "";
    out->finding = cst_findings_sorted(&subject->findings);
    out->findings = subject->findings.count;
    return !out->arena.failed;
}

cst_examination *cst_examine(const cst_scene *scene, const cst_machine *machine, char *message, size_t message_size)
{
    if (scene->faults > 0) {
        snprintf(message, message_size, "the scene has mistakes (cst_scene_faults): nothing else is looked at");
        return NULL;
    }
    cst_arena arena;
    cst_arena_begin(&arena, &scene->arena.allocator);
    cst_examination *out = CST_TAKE(&arena, cst_examination, 1);
    /* If the expected memory exceeds that of the machine, the simulation is not built. */
    const bool fits = !(machine->memory > 0.0) || cst_memory_expected(scene) <= machine->memory;
    cst_world *world = out && fits ? cst_scene_world(scene, 0, message, message_size) : NULL;
    bool good = out && (world || !fits);
    if (!out)
        snprintf(message, message_size, "out of memory");
    if (good) {
        out->arena = arena;
        cst_subject subject = {.scene = scene,
                               .root = scene->root,
                               .world = world,
                               .def = world ? cst_world_definition(world) : NULL,
                               .run = cst_scene_run_settings(scene),
                               .machine = *machine,
                               .arena = &out->arena,
                               .findings = {.arena = &out->arena}};
        const cst_c_locale locale = cst_c_locale_enter();
        good = world ? look(&subject, out) : look_at_size(&subject, out);
        cst_c_locale_leave(locale);
        arena = out->arena;
        if (!good)
            snprintf(message, message_size, "out of memory");
    }
    cst_world_free(world);
    if (good)
        return out;
    cst_arena_end(&arena);
    return NULL;
}

void cst_examination_free(cst_examination *examination)
{
    if (examination)
        cst_arena_end_from_within(&examination->arena);
}

int cst_examination_findings(const cst_examination *examination, const cst_finding **out)
{
    if (out)
        *out = examination->finding;
    return examination->findings;
}

const char *cst_examination_summary(const cst_examination *examination)
{
    return examination->summary;
}
