/* capstan dump SCENE: writes the friction problems of a scene's steps as FCLIB files, for research on solvers. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/scene_faults.h"
#include "exchange/fclib.h"
#include "scene/scene.h"
#include "write/directory.h"

static const cst_command command = {
    .name = "capstan dump",
    .usage = "SCENE [options]",
    .about = "Runs a scene and saves the friction problems of its steps as FCLIB files.",
    .more =
        "Runs a scene and writes the friction problem of every K-th step to DIR/NAME_STEP.hdf5 (FCLIB), with the impulses that "
        "the\n"
        "step began with as its guess; a step that was repeated leaves the problem of its last attempt. Nothing else is kept.",
    .ending = "Exit status: 0 all written, 2 a bad scene, a failed step or a problem that could not be written, 130 stopped by "
              "Ctrl-C.\n"
              "\n"
              "Examples:\n"
              "  capstan dump scenes/fibers/wavy_hair.json --every 50 --out problems\n"
              "  capstan solve problems --guess file --tol 1e-8\n"
              "  capstan-bench solvers problems"};

typedef enum form { GLOBAL, LOCAL, BOTH } form;

typedef struct dump {
    const char *name; /* of the scene */
    const char *out;
    int every, least, form;
    int64_t step; /* current step, from 1 */
    int problems; /* number of steps with a problem */
    int64_t last; /* last step with a problem */
    bool failed;
    char message[512];
} dump;

/* Returns a path DIR/NAME_000123.hdf5. If a friction problem is written both in global form (with a mass matrix) and in local
 * form (with a Delassus matrix), the paths of the two files end in .global.hdf5 and .local.hdf5. */
static char *path_of(const dump *d, const char *kind)
{
    char ending_of[64];
    snprintf(ending_of, sizeof ending_of, "_%06lld%s.hdf5", (long long)d->step, d->form == BOTH ? kind : "");
    return cst_path_join(d->out, d->name, ending_of);
}

static bool write_global(dump *d, const cst_body_problem *problem, const double *r, const char *title)
{
    cst_arena arena, scratch;
    cst_global_problem global;
    char *path = path_of(d, ".global");
    cst_arena_begin(&arena, NULL);
    cst_arena_begin(&scratch, NULL);
    snprintf(d->message, sizeof d->message, "out of memory");
    const bool good = path && cst_global_from_bodies(problem, &arena, &scratch, &global, d->message, sizeof d->message) &&
                      cst_fclib_write_global(path, &global, CST_FCLIB_CSR, r, title, NULL, d->message, sizeof d->message);
    cst_arena_end(&scratch);
    cst_arena_end(&arena);
    free(path);
    return good;
}

static bool write_local(dump *d, const cst_body_problem *problem, const double *r, const char *title)
{
    cst_friction_problem local;
    char *path = path_of(d, ".local");
    snprintf(d->message, sizeof d->message, "out of memory");
    cst_assembled *assembled = path ? cst_friction_assemble(problem, NULL, &local, d->message, sizeof d->message) : NULL;
    const bool good =
        assembled && cst_fclib_write_local(path, &local, CST_FCLIB_CSR, r, title, NULL, d->message, sizeof d->message);
    cst_assembled_free(assembled);
    free(path);
    return good;
}

static void watch(void *user, const cst_body_problem *problem, const double *r)
{
    dump *d = user;
    char title[256];
    if (d->failed || d->step % d->every != 0 || problem->contacts < d->least)
        return;
    snprintf(title, sizeof title, "%s, step %lld", d->name, (long long)d->step);
    d->failed =
        (d->form != LOCAL && !write_global(d, problem, r, title)) || (d->form != GLOBAL && !write_local(d, problem, r, title));
    d->problems += !d->failed && d->last != d->step;
    d->last = d->step;
}

static int dump_world(cst_world *world, const cst_scene_run *plan, double duration, dump *d)
{
    cst_step_report report;
    char message[512];
    int iterations;
    const double end = duration > 0 ? duration : plan->duration;
    if (plan->equilibrium_first && !cst_world_find_equilibrium(world, 1e-10, &iterations, message, sizeof message)) {
        fprintf(stderr, "capstan dump: %s\n", message);
        return CST_EXIT_BAD;
    }
    cst_world_watch_friction(world, watch, d);
    cst_progress progress;
    cst_progress_begin(&progress, 0, "%s", d->name);
    bool good = true;
    while (good && !d->failed && !cst_interrupted() && cst_world_time(world) < end * (1 - 1e-12)) {
        d->step++;
        good = cst_world_step(world, &report) <= CST_TOLERANCE_MISSED;
    }
    cst_progress_end(&progress);
    if (!good)
        fprintf(stderr, "capstan dump: step %lld failed: %s\n", (long long)d->step, report.message);
    if (d->failed)
        fprintf(stderr, "capstan dump: step %lld: %s%s\n", (long long)d->step, d->message,
                d->form == LOCAL ? "" : " (--form local may do)");
    printf("%d problem%s of %lld steps (%.6g s) in %s\n", d->problems, d->problems == 1 ? "" : "s", (long long)d->step,
           cst_world_time(world), d->out);
    return !good || d->failed ? CST_EXIT_BAD : cst_interrupted() ? CST_EXIT_INTERRUPTED : CST_EXIT_SOLVED;
}

static int dump_scene(const char *path, const cst_text_list *set, double duration, int threads, dump *d)
{
    char message[512];
    cst_scene *scene = cst_scene_read_file(path, set->text, set->count, NULL);
    int code = CST_EXIT_BAD;
    if (!scene) {
        fputs("capstan dump: out of memory\n", stderr);
    } else if (cst_scene_faults(scene, NULL) > 0) {
        cst_print_faults(stderr, "capstan dump", scene);
    } else {
        cst_world *world = cst_scene_world(scene, threads, message, sizeof message);
        if (world && cst_directory_make(d->out, message, sizeof message)) {
            cst_interrupt_install();
            code = dump_world(world, cst_scene_run_settings(scene), duration, d);
        } else {
            fprintf(stderr, "capstan dump: %s\n", message);
        }
        cst_world_free(world);
    }
    cst_scene_free(scene);
    return code;
}

int cst_command_dump(int argc, char **argv)
{
    static const char *const forms[] = {"global", "local", "both", NULL};
    cst_text_list set = {0};
    double duration = 0;
    int threads = 0;
    dump d = {.out = "problems", .every = 1, .least = 1};
    const cst_option table[] = {
        cst_option_integer("every", &d.every, "K", 1, INT_MAX, "every K-th step (1)"),
        cst_option_text("out", &d.out, "DIR", "directory of the problems (problems)"),
        cst_option_choice("form", &d.form, "F", forms,
                          "global: M v = f + H r, u = H' v + w (the default); local: u = W r + q; or both"),
        cst_option_integer("least", &d.least, "N", 1, INT_MAX, "only problems with at least N contacts (1)"),
        cst_option_list("set", &set, "KEY=VALUE", "another value for a key of the scene; may be repeated"),
        cst_option_real("duration", &duration, "S", 0, HUGE_VAL, "simulated seconds (the scene's)"),
        cst_option_integer("threads", &threads, "N", 1, 1024, "the bits of the problems do not depend on it (1)"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands != 1) {
        fprintf(stderr, "capstan dump: %s\nTry: capstan dump --help\n", operands == 0 ? "no scene given" : "one scene at a time");
        return CST_EXIT_BAD;
    }
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0], *dot = strrchr(name, '.');
    char *short_name = strndup(name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
    if (!short_name) {
        fputs("capstan dump: out of memory\n", stderr);
        return CST_EXIT_BAD;
    }
    d.name = short_name;
    code = dump_scene(argv[0], &set, duration, threads, &d);
    free(short_name);
    return code;
}
