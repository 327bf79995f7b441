/* capstan check FILE: reports all errors of a scene with their locations, and tests if the scene makes physical sense. */
#include <stdio.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/physics.h"
#include "cli/progress.h"
#include "cli/scene_faults.h"
#include "cli/terminal.h"

static const cst_command command = {
    .name = "capstan check",
    .usage = "FILE... [options]",
    .about = "Reads scenes and lists every mistake in them.",
    .more =
        "A mistake is printed as FILE:LINE:COLUMN: KEY: what is wrong and what was expected. A scene without mistakes is also\n"
        "built and looked at: sizes of everything, what overlaps at the start, units, time step, memory. What looks wrong is a\n"
        "warning with a remedy (docs/check.md has them all). No step is computed; with equilibrium_first the equilibrium is.",
    .ending = "Exit status: 0 the scene can be run, 2 it cannot, or --strict and a warning.\n"
              "\n"
              "Examples:\n"
              "  capstan check scene.json\n"
              "  capstan check scene.json --set rods.rope.radius=0.01 --set time_step.dt=1e-4\n"
              "  capstan check --schema > scene.schema.json"};

static const char *counted(int count, const char *one, const char *many, char out[32])
{
    snprintf(out, 32, "%d %s", count, count == 1 ? one : many);
    return out;
}

/* Prints a summary of the scene on standard output, and warnings on standard error. */
static int check_physics(const cst_scene *scene, const char *path, bool strict)
{
    char message[512], count[4][32];
    const cst_machine machine = cst_machine_here(".");
    cst_examination *examination = cst_examine(scene, &machine, message, sizeof message);
    if (!examination) {
        fprintf(stderr, "%s\n", message);
        return CST_EXIT_BAD;
    }
    const int findings = examination->findings;
    const cst_look look = cst_terminal_look(stderr);
    fflush(stdout);
    cst_print_findings(stderr, &look, examination);
    const cst_scene_run *run = cst_scene_run_settings(scene);
    printf("%s: %s; %s, ", path, findings == 0 ? "good" : counted(findings, "warning", "warnings", count[3]),
           counted(examination->bodies, "body", "bodies", count[0]));
    printf("%s, ", counted(examination->obstacles, "obstacle", "obstacles", count[1]));
    printf("%s; ", counted(examination->constraints, "constraint", "constraints", count[2]));
    printf("%g s in %lld steps, a frame every %g s\n", run->duration, (long long)run->total_steps, run->frame_interval);
    fputs(examination->summary, stdout);
    cst_examination_free(examination);
    return strict && findings > 0 ? CST_EXIT_BAD : CST_EXIT_SOLVED;
}

static int check_file(const char *path, const cst_text_list *set, bool text, bool strict)
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
        code = check_physics(scene, path, strict);
    cst_scene_free(scene);
    return code;
}

int cst_command_check(int argc, char **argv)
{
    cst_text_list set = {.count = 0};
    bool schema = false, reference = false, text = false, strict = false;
    const cst_option table[] = {
        cst_option_list("set", &set, "KEY=VALUE", "change the scene before it is checked: rods.rope.radius=0.01"),
        cst_option_flag("text", &text, "print the scene as it is run: files and --set merged, without comments"),
        cst_option_flag("strict", &strict, "a warning counts as a mistake"),
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
        int own = check_file(argv[i], &set, text, strict);
        worst = own > worst ? own : worst;
    }
    return worst;
}
