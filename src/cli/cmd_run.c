/* capstan run SCENE: simulates a scene and writes the results to disk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/memory_limit.h"
#include "cli/physics.h"
#include "cli/progress.h"
#include "cli/run_progress.h"
#include "cli/run_summary.h"
#include "cli/scene_faults.h"
#include "cli/terminal.h"

static const cst_command command = {
    .name = "capstan run",
    .usage = "SCENE [options]",
    .about = "Runs a scene and keeps the results, resumable at any moment.",
    .more = "Runs a scene (docs/scene.md) and keeps everything in a directory: cache.h5 with frames, contacts and a report of "
            "each step\n"
            "(docs/cache.md), probes/*.csv, outcome.json, and a checkpoint. Ctrl-C stops after the step under way and saves. "
            "However a "
            "run\n"
            "ends, --resume goes on with it, and the results are the same bits as if it had never stopped.",
    .ending = "Exit status: 0 finished, 1 finished with steps that missed a tolerance or in which surfaces of sheets cross, 2 a "
              "bad\n"
              "scene (--strict: or a warning, or energy unexplained), a failed step or a result that could not be written, 130 "
              "stopped by\n"
              "Ctrl-C (or SIGTERM).\n"
              "\n"
              "Examples:\n"
              "  capstan run scenes/planar/incline.json\n"
              "  capstan run scene.json --set time_step.dt=5e-4 --set 'rods[0].radius=0.002' --out thin.run\n"
              "  capstan run scene.json --resume\n"
              "  capstan run scene.json --resume --duration 10"};

/* Returns "NAME.run" in the current directory for a scene ".../NAME.json". */
static char *default_directory(const char *scene)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene, *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    char *directory = malloc(length + sizeof ".run");
    if (directory)
        snprintf(directory, length + sizeof ".run", "%.*s.run", (int)length, name);
    return directory;
}

/* Writes a word, quoted for the shell if necessary. */
static void put_word(FILE *to, const char *word)
{
    if (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-:,@%") == strlen(word)) {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, to);
    fputc('\'', to);
}

/* Returns the command that resumes this run, or NULL if memory ran out. */
static char *resuming_command(const char *path, const cst_run_settings *settings, const cst_text_list *set)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return NULL;
    fputs("capstan run", to);
    put_word(to, path);
    fputs(" --out", to);
    put_word(to, settings->directory);
    for (int i = 0; i < set->count; i++) {
        fputs(" --set", to);
        put_word(to, set->text[i]);
    }
    if (settings->from) {
        fputs(" --from", to);
        put_word(to, settings->from);
    }
    if (settings->duration > 0)
        fprintf(to, " --duration %.17g", settings->duration);
    fprintf(to, "%s --resume", settings->probe_each_step ? " --probe-each-step" : "");
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

/* strict: unexplained energy is an error. */
static int exit_code(const cst_run_result *result, bool strict)
{
    switch (result->end) {
    case CST_RUN_FINISHED:
        if (strict && cst_run_unexplained(&result->totals)) {
            fprintf(
                stderr,
                "capstan run: %.2g J of energy unexplained beside %.3g J that moved, most in step %lld at %.6g s, and --strict\n",
                result->totals.unexplained, result->totals.energy.moved, (long long)result->totals.unexplained_step,
                result->totals.unexplained_time);
            return CST_EXIT_BAD;
        }
        return result->totals.missed + result->totals.unconverged + result->totals.crossed > 0 ? CST_EXIT_MISSED
                                                                                               : CST_EXIT_SOLVED;
    case CST_RUN_ALREADY:
        return CST_EXIT_SOLVED;
    case CST_RUN_INTERRUPTED:
        return CST_EXIT_INTERRUPTED;
    case CST_RUN_FAILED:
    case CST_RUN_REFUSED:
        break;
    }
    return CST_EXIT_BAD;
}

/* What the user asked for besides the settings of the run. */
typedef struct asked {
    const char *again; /* command that resumes the run */
    cst_memory_limit memory;
    cst_run_show show;
    bool strict;
} asked;

static int run_scene(const cst_scene *scene, const asked *how, cst_run_settings *settings)
{
    cst_run_view view;
    cst_run_view_begin(&view, how->show, cst_scene_title(scene));
    settings->progress = cst_run_view_step;
    settings->user = &view;
    cst_interrupt_answer("\ncapstan run: stops after the step under way and saves; once more ends it at once\n");
    cst_interrupt_install();
    cst_run_result result;
    cst_run(scene, settings, &result);
    cst_run_view_end(&view);
    if (how->show == CST_SHOW_JSON)
        cst_run_summary_json(stdout, settings->directory, &result);
    else if (result.end != CST_RUN_REFUSED) {
        cst_look look = cst_terminal_look(stdout);
        cst_run_summary_print(stdout, &look, cst_scene_title(scene), settings->directory, &result);
    }
    cst_run_summary_trouble(stderr, how->again, settings->directory, &how->memory, &result);
    return exit_code(&result, how->strict);
}

/* Prints warnings about the physics of the scene once, before the first step, then runs the scene. With --strict, a scene with
 * warnings is not run. */
static int run_examined(const cst_scene *scene, const asked *how, cst_run_settings *settings)
{
    char message[512];
    const cst_machine machine = cst_machine_here(settings->directory);
    cst_examination *examination = cst_examine(scene, &machine, message, sizeof message);
    /* if the scene cannot be built, no message is printed, because the run will fail for the same reason and report it */
    if (!examination)
        return run_scene(scene, how, settings);
    const int warnings = examination->findings;
    const cst_look look = cst_terminal_look(stderr);
    char **text = cst_finding_texts(examination);
    cst_print_findings(stderr, &look, examination);
    cst_examination_free(examination);
    int code = CST_EXIT_BAD;
    if (warnings > 0 && !text) {
        fputs("capstan run: not enough memory\n", stderr);
    } else if (warnings > 0 && how->strict) {
        fprintf(stderr, "capstan run: %d %s, and --strict: not run\n", warnings, warnings == 1 ? "warning" : "warnings");
    } else {
        settings->warning = (const char *const *)text;
        settings->warnings = warnings;
        code = run_scene(scene, how, settings);
    }
    cst_finding_texts_free(text, warnings);
    return code;
}

int cst_command_run(int argc, char **argv)
{
    static const char *const shows[] = {"bar", "json", "none", NULL};
    cst_run_settings settings = cst_run_settings_default();
    cst_text_list set = {0};
    int show = -1;
    double fps = 0.0;
    char rate[64], message[256];
    const char *memory = NULL;
    asked how = {0};
    const cst_option table[] = {
        cst_option_text("out", &settings.directory, "DIR", "directory of the results (the scene's name with .run, here)"),
        cst_option_list("set", &set, "KEY=VALUE",
                        "another value for a key of the scene, e.g. time_step.dt=1e-4;\nmay be repeated"),
        cst_option_real("duration", &settings.duration, "S", 0, HUGE_VAL,
                        "simulated seconds (the scene's); with --resume: longer than before goes on"),
        cst_option_real("fps", &fps, "N", 1e-9, 1e9,
                        "saved frames per second, in place of the scene's; 1/N must be a multiple of dt"),
        cst_option_integer("threads", &settings.threads, "N", 1, 1024, "the bits of the results do not depend on it (1)"),
        cst_option_flag("resume", &settings.resume, "go on from the last checkpoint in DIR"),
        cst_option_flag("force", &settings.force, "remove the run that is in DIR and begin again"),
        cst_option_text(
            "from", &settings.from, "RUN",
            "bodies begin as they are at the end of another run of this scene, such as one in\nwhich all came to rest"),
        cst_option_flag("probe-each-step", &settings.probe_each_step, "rows of probes at every step, not at every frame"),
        cst_option_text("memory", &memory, "SIZE",
                        "most memory that the run may take, such as 20G, or none; a run that needs more stops with a\nmessage "
                        "and can be resumed (what is free when it begins)"),
        cst_option_flag("strict", &how.strict,
                        "do not run a scene with warnings (docs/check.md); energy left unexplained\nbeyond 1 % of what moved is "
                        "an error (docs/world.md)"),
        cst_option_choice("progress", &show, "P", shows, "what is shown meanwhile: bar on a terminal, otherwise json"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, table, CST_OPTION_COUNT_OF(table), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands != 1 || (settings.resume && settings.force)) {
        fprintf(stderr, "capstan run: %s\nTry: capstan run --help\n",
                operands == 0   ? "no scene given"
                : operands != 1 ? "one scene at a time"
                                : "--resume and --force exclude each other");
        return CST_EXIT_BAD;
    }
    if (fps > 0.0 && set.count == CST_TEXT_LIST_MAX) {
        fprintf(stderr, "capstan run: --fps counts as one --set, of which there are %d at most\n", CST_TEXT_LIST_MAX);
        return CST_EXIT_BAD;
    }
    if (fps > 0.0) {
        snprintf(rate, sizeof rate, "output.frames_per_second=%.17g", fps);
        set.text[set.count++] = rate;
    }
    if (show < 0)
        show = cst_terminal_look(stdout).width > 0 ? CST_SHOW_BAR : CST_SHOW_JSON;
    char *directory = settings.directory ? NULL : default_directory(argv[0]);
    if (!settings.directory)
        settings.directory = directory;
    if (!cst_memory_limit_set(memory, &how.memory, message, sizeof message)) {
        fprintf(stderr, "capstan run: %s\n", message);
        free(directory);
        return CST_EXIT_BAD;
    }
    char *again = settings.directory ? resuming_command(argv[0], &settings, &set) : NULL;
    how.again = again;
    how.show = (cst_run_show)show;
    cst_scene *scene = cst_scene_read_file(argv[0], set.text, set.count, NULL);
    code = CST_EXIT_BAD;
    if (!scene || !again)
        fputs("capstan run: not enough memory\n", stderr);
    else if (cst_scene_faults(scene, NULL) > 0)
        cst_print_faults(stderr, "capstan run", scene);
    else
        code = run_examined(scene, &how, &settings);
    cst_scene_free(scene);
    free(again);
    free(directory);
    return code;
}
