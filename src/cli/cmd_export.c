/* capstan export: writes a run as files for other programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/run_argument.h"
#include "export/export.h"
#include "write/directory.h"

static bool show_progress(void *user, int64_t done, int64_t all)
{
    cst_progress_note(user, "frame %lld of %lld", (long long)done, (long long)all);
    return !cst_interrupted();
}

/* Returns the default path of the exported files, in the directory of the run: for example export.usda, or export_obj for a
 * format that needs a directory. */
static char *default_path(const char *run, cst_export_format format)
{
    char name[32] = "export";
    if (!*cst_export_ending(format))
        snprintf(name, sizeof name, "export_%s", cst_export_format_names[format]);
    return cst_path_join(run, name, cst_export_ending(format));
}

static bool export_run(const char *run, const cst_export_options *options, const char *out, char *message, size_t message_size)
{
    if (!cst_is_directory(run, message, message_size))
        return false;
    cst_cache *cache = cst_cache_open(run, message, message_size);
    if (!cache)
        return false;
    char *path = out ? strdup(out) : default_path(run, options->format);
    cst_progress progress;
    cst_export_report report;
    const double started = cst_clock_seconds();
    bool good = path != NULL;
    if (good) {
        cst_progress_begin(&progress, 0.0, "export");
        good = cst_export_write(cache, options, path, show_progress, &progress, &report, message, message_size);
        cst_progress_end(&progress);
    } else {
        snprintf(message, message_size, "not enough memory");
    }
    if (good)
        printf("wrote %s: %lld frames, %d objects, %lld file%s, %.1f MB, %.1f s\n", path, (long long)report.frames,
               report.objects, (long long)report.files, report.files == 1 ? "" : "s", (double)report.bytes / 1e6,
               cst_clock_seconds() - started);
    free(path);
    cst_cache_close(cache);
    return good;
}

static const cst_command command = {
    .name = "capstan export",
    .usage = "RUN --format F [options]",
    .about = "Writes a run for other programs: Blender, Houdini, ParaView, numpy.",
    .more = "RUN is the directory that capstan run made. Metres; y is up in the plane, z in space.\n"
            "usd: curves with widths, meshes and contacts with time samples, one text file (.usda)\n"
            "obj, ply: a file for each frame. pc2: points in time of each body, and its shape as OBJ\n"
            "vtp: a file for each frame and a .pvd that lists them, for ParaView\n"
            "csv: positions and contacts as tables. npz: the same as numpy arrays, all bits",
    .ending = "Exit status: 0 written, 2 with the reason, 130 stopped by Ctrl-C; nothing is left then.\n"
              "\n"
              "Examples:\n"
              "  capstan export hair.run --format usd --fps 24\n"
              "  capstan export fall.run --format vtp --from 0.5 --every 2 --out paraview\n"
              "  capstan export fall.run --format npz"};

int cst_command_export(int argc, char **argv)
{
    cst_export_options asked = cst_export_defaults();
    int format = -1;
    const char *out = NULL;
    const cst_option options[] = {
        cst_option_choice("format", &format, "F", cst_export_format_names, "which files"),
        cst_option_text("out", &out, "PATH", "the file (usd, npz) or directory (RUN/export.usda, RUN/export_obj, ...)"),
        cst_option_real("from", &asked.choice.from, "T", -1e300, 1e300, "first time, in s"),
        cst_option_real("to", &asked.choice.to, "T", -1e300, 1e300, "last time, in s"),
        cst_option_integer("every", &asked.choice.every, "N", 1, 1000000, "only every N-th frame"),
        cst_option_integer("every-fiber", &asked.every_fiber, "N", 1, 1000000,
                           "only every N-th curve: rod, fiber, chain, capsule"),
        cst_option_real("fps", &asked.fps, "N", 1e-3, 1e6, "usd: time codes per second (one for each frame)"),
        cst_option_flag("normals", &asked.normals, "usd: directors of fibers as normals; renderers then draw ribbons"),
        cst_option_flag("force", &asked.force, "replace what an export has written there"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code);
    if (operands < 0)
        return code;
    char message[512] = "name the directory of one run";
    if (operands == 1 && format < 0)
        snprintf(message, sizeof message, "say which files: --format usd, obj, pc2, ply, vtp, csv or npz");
    asked.format = (cst_export_format)format;
    cst_interrupt_install();
    const bool good = operands == 1 && format >= 0 && export_run(argv[0], &asked, out, message, sizeof message);
    if (!good)
        fprintf(stderr, "capstan export: %s\n", message);
    return good ? CST_EXIT_SOLVED : cst_interrupted() ? CST_EXIT_INTERRUPTED : CST_EXIT_BAD;
}
