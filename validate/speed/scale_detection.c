/* capstan-bench scale, section detection: how much of a step goes into detection (all of it: detect, track, detect end) on scenes as
 * they are shipped. Each runs from its beginning for a time that takes it into contact, or goes on from the checkpoint of a finished
 * run (--runs DIR, in which SCENE.run are). Only steps with contacts count. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/scene_faults.h"
#include "harness/bench_data.h"
#include "harness/cpu_clock.h"
#include "run/checkpoint.h"
#include "scene/scene.h"
#include "speed/scale.h"

typedef struct shipped {
    const char *scene; /* of scenes/fibers */
    double end;        /* s, simulated; table1 has the same */
    double bound;      /* of the share */
    bool quick;
} shipped;

static const shipped scenes[] = {
    {"wavy_hair", 1.1, 0.15, false},     {"spaghetti_31", 0.5, 0.15, false},       {"spaghetti_76", 0.5, 0.15, false},
    {"self_stacking", 2.0, 0.15, false}, {"overhand_knot_paper", 1.0, 0.25, true}, {"plectoneme_paper", 5.5, 0.25, false},
    {"plectoneme", 4.0, 0.25, false},
};

enum { SCENES = sizeof scenes / sizeof scenes[0], STEPS_FROM_RUN = 50 };

/* Loads the state of a finished run, if there is one. False: there is one that cannot be used, said. */
static bool load_run(const cst_scale *about, const shipped *of, cst_world *world, bool *loaded)
{
    char path[1200], message[512] = "";
    cst_run_directory directory;
    cst_checkpoint from = {0};
    *loaded = false;
    if (!about->runs)
        return true;
    snprintf(path, sizeof path, "%s/%s.run", about->runs, of->scene);
    const bool there = cst_run_directory_open(&directory, path, true, message, sizeof message);
    const cst_checkpoint_found found =
        there ? cst_checkpoint_read(&directory, &from, message, sizeof message) : CST_CHECKPOINT_NONE;
    const bool read = found == CST_CHECKPOINT_LAST || found == CST_CHECKPOINT_PREVIOUS;
    *loaded = read && cst_world_load(world, from.world, from.world_bytes, message, sizeof message);
    if (found != CST_CHECKPOINT_NONE)
        cst_checkpoint_free(&from);
    cst_run_directory_close(&directory);
    return *loaded || found == CST_CHECKPOINT_NONE || cst_validation_fault(&about->base, "%s: %s", path, message);
}

static bool run(const cst_scale *about, const shipped *of, cst_world *world, cst_scale_row *row)
{
    bool loaded;
    if (!load_run(about, of, world, &loaded))
        return false;
    const double end = about->base.quick ? 0.3 * of->end : of->end;
    for (int n = 0; loaded ? n < STEPS_FROM_RUN : cst_world_time(world) < end * (1.0 - 1e-12); n++) {
        cst_step_report report;
        const double began = cst_cpu_seconds();
        const cst_status status = cst_world_step(world, &report);
        const double cpu = cst_cpu_seconds() - began;
        if (cst_interrupted() || status > CST_TOLERANCE_MISSED)
            return cst_validation_fault(&about->base, "%s at %g s: %s", of->scene, report.time, report.message);
        if (report.contacts == 0)
            continue;
        row->steps++;
        row->seconds += cpu;
        row->contacts += report.contacts;
        row->iterations += report.iterations;
        row->islands = report.islands;
        row->error = fmax(row->error, report.residual.error);
        for (int k = 0; k < CST_SCALE_PHASES; k++)
            row->phase[k] += ((const double *)&report.seconds)[k] * cpu / report.seconds_total;
    }
    row->seconds /= row->steps;
    row->contacts /= row->steps;
    row->iterations /= row->steps;
    for (int k = 0; k < CST_SCALE_PHASES; k++)
        row->phase[k] /= row->steps;
    return true;
}

static bool measure(cst_scale *about, const shipped *of, cst_scale_row *row)
{
    char local[128], path[1200], message[512] = "out of memory";
    snprintf(local, sizeof local, "../scenes/fibers/%s.json", of->scene);
    if (!cst_bench_data_find(local, path, sizeof path))
        return cst_validation_fault(&about->base, "scenes/fibers/%s.json is not there", of->scene);
    cst_scene *scene = cst_scene_read_file(path, NULL, 0, NULL);
    cst_world *world = NULL;
    if (scene && cst_scene_faults(scene, NULL) > 0)
        cst_print_faults(stderr, "capstan-bench scale", scene);
    else
        world = scene ? cst_scene_world(scene, 1, message, sizeof message) : NULL;
    *row = (cst_scale_row){.section = "detection", .threads = 1, .fibers = world ? cst_world_bodies(world) : 0};
    snprintf(row->scene, sizeof row->scene, "%s", of->scene);
    const bool good = world ? run(about, of, world, row) : cst_validation_fault(&about->base, "%s: %s", of->scene, message);
    cst_world_free(world);
    cst_scene_free(scene);
    if (good)
        cst_scale_keep(about, row);
    return good;
}

bool cst_scale_shares(cst_scale *about)
{
    static const char *const headings[] = {"scene", "steps in contact", "contacts",      "step", "detect",
                                           "track", "detect end",       "all detection", NULL};
    cst_table *table = cst_validation_table(headings);
    bool good = true;
    for (int i = 0; good && i < SCENES; i++) {
        cst_scale_row row;
        char figure[96];
        if (about->base.quick && !scenes[i].quick)
            continue;
        good = measure(about, scenes + i, &row);
        if (!good)
            break;
        const cst_step_seconds *seconds = (const cst_step_seconds *)row.phase;
        const double share = cst_scale_detection(&row) / row.seconds;
        cst_table_cell(table, "%s", row.scene);
        cst_table_cell(table, "%d", row.steps);
        cst_table_cell(table, "%.0f", row.contacts);
        cst_table_seconds(table, row.seconds);
        cst_table_cell(table, "%.1f%%", 100.0 * seconds->detect / row.seconds);
        cst_table_cell(table, "%.1f%%", 100.0 * seconds->track / row.seconds);
        cst_table_cell(table, "%.1f%%", 100.0 * seconds->detect_end / row.seconds);
        cst_table_cell(table, "%.1f%%", 100.0 * share);
        snprintf(figure, sizeof figure, "detection: share of the step, %s", row.scene);
        cst_scale_bound(about, share, scenes[i].bound, figure);
    }
    cst_validation_print(table);
    return good;
}
