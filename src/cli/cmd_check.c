/* capstan check FILE: every mistake of a scene at once, each with its place. */
#include <stdio.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/scene_faults.h"
#include "scene/scene.h"

static const char more[] =
    "A mistake is printed as FILE:LINE:COLUMN: KEY: what is wrong and what was expected. A good scene is also built, so that "
    "what\n"
    "only the world can find (joints that do not meet, rings that do not close) is found too; nothing is computed.";

static const char ending[] = "Exit status: 0 the scene is good, 2 it is not, or it cannot be read.\n"
                             "\n"
                             "Examples:\n"
                             "  capstan check scene.json\n"
                             "  capstan check scene.json --set rods.rope.radius=0.01 --set time_step.dt=1e-4\n"
                             "  capstan check --schema > scene.schema.json";

static const char *counted(int count, const char *one, const char *many, char out[32])
{
    snprintf(out, 32, "%d %s", count, count == 1 ? one : many);
    return out;
}

/* Built and thrown away. */
static int check_world(const cst_scene *scene, const char *path)
{
    char message[512], count[3][32];
    cst_world *world = cst_scene_world(scene, 0, message, sizeof message);
    if (!world) {
        fprintf(stderr, "%s\n", message);
        return CST_EXIT_BAD;
    }
    const cst_scene_run *run = cst_scene_run_settings(scene);
    printf("%s: good; %s, ", path, counted(cst_world_bodies(world), "body", "bodies", count[0]));
    printf("%s, ", counted(cst_world_obstacles(world), "obstacle", "obstacles", count[1]));
    printf("%s; ", counted(cst_world_constraints(world), "constraint", "constraints", count[2]));
    printf("%g s in %lld steps, a frame every %g s\n", run->duration, (long long)run->total_steps, run->frame_interval);
    cst_world_free(world);
    return CST_EXIT_SOLVED;
}

static int check_file(const char *path, const cst_text_list *set, bool text)
{
    cst_scene *scene = cst_scene_read_file(path, set->text, set->count, NULL);
    if (!scene) {
        fputs("capstan check: out of memory\n", stderr);
        return CST_EXIT_BAD;
    }
    int code = CST_EXIT_BAD;
    if (cst_scene_faults(scene, NULL) > 0)
        cst_print_faults(stderr, "capstan check", scene);
    else if (text)
        code = fputs(cst_scene_text(scene), stdout) < 0 ? CST_EXIT_BAD : CST_EXIT_SOLVED;
    else
        code = check_world(scene, path);
    cst_scene_free(scene);
    return code;
}

static const cst_command command = {.name = "capstan check",
                                    .usage = "FILE... [options]",
                                    .about = "Reads scenes and lists every mistake in them.",
                                    .more = more,
                                    .ending = ending};

int cst_command_check(int argc, char **argv)
{
    cst_text_list set = {.count = 0};
    bool schema = false, reference = false, text = false;
    const cst_option table[] = {
        cst_option_list("set", &set, "KEY=VALUE", "change the scene before it is checked: rods.rope.radius=0.01"),
        cst_option_flag("text", &text, "print the scene as it is run: files and --set merged, without comments"),
        cst_option_flag("schema", &schema, "print the JSON Schema of scenes, for editors"),
        cst_option_flag("reference", &reference, "print the reference of all keys, in Markdown"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    if (schema || reference) {
        bool written = (!schema || cst_scene_write_schema(stdout)) && (!reference || cst_scene_write_reference(stdout));
        return written ? CST_EXIT_SOLVED : CST_EXIT_BAD;
    }
    if (operands == 0) {
        fputs("capstan check: no scene given\nTry: capstan check --help\n", stderr);
        return CST_EXIT_BAD;
    }
    int worst = CST_EXIT_SOLVED;
    for (int i = 0; i < operands; i++) {
        int own = check_file(argv[i], &set, text);
        worst = own > worst ? own : worst;
    }
    return worst;
}
