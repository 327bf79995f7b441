/* capstan view: writes one run, or two runs side by side, as one HTML file for a browser. */
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>

#include "base/clock.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/page_probes.h"
#include "cli/page_viewer.h"
#include "cli/progress.h"
#include "cli/run_argument.h"
#include "page/page.h"
#include "scene/scene.h"
#include "write/directory.h"

enum { RUNS_MAX = 2 };

typedef struct view {
    char *directory[RUNS_MAX];
    cst_page_run run[RUNS_MAX];
    cst_page_probes probes[RUNS_MAX];
    int runs;
    cst_page_choice choice;
    int every_fiber;
    cst_progress progress;
} view;

static char *with_ending(const char *path, const char *ending)
{
    size_t bytes = strlen(path) + strlen(ending) + 1;
    char *text = malloc(bytes);
    if (text)
        snprintf(text, bytes, "%s%s", path, ending);
    return text;
}

/* Returns the last part of a path: "fall" for "results/fall/". Removes slashes at the end of the path in place. */
static const char *name_of(char *directory)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        directory[--length] = '\0';
    const char *slash = strrchr(directory, '/');
    return slash && slash[1] ? slash + 1 : directory;
}

/* Reads the camera from the scene stored in the cache. If this version of Capstan cannot read the scene, no camera is set. */
static void find_camera(cst_page_run *run)
{
    const char *text = cst_cache_about(run->cache)->scene;
    cst_scene *scene = cst_scene_read_text(text, strlen(text), "scene", NULL, 0, NULL);
    const cst_scene_fault *fault;
    if (scene && cst_scene_faults(scene, &fault) == 0) {
        const cst_scene_camera *camera = cst_scene_view(scene);
        run->camera_given = camera->given;
        memcpy(run->camera_center, camera->center, sizeof run->camera_center);
        run->camera_height = camera->height;
        run->camera_azimuth = camera->azimuth * 180.0 / acos(-1.0);
        run->camera_elevation = camera->elevation * 180.0 / acos(-1.0);
    }
    if (scene)
        cst_scene_free(scene);
}

static bool open_run(view *what, int k, char *message, size_t message_size)
{
    if (!cst_is_directory(what->directory[k], message, message_size))
        return false;
    cst_page_run *run = &what->run[k];
    run->name = name_of(what->directory[k]);
    run->cache = cst_cache_open(what->directory[k], message, message_size);
    if (!run->cache)
        return false;
    cst_cache_every_fiber(run->cache, what->every_fiber);
    find_camera(run);
    if (!cst_page_probes_read(&what->probes[k], what->directory[k], what->choice.from, what->choice.to, message, message_size))
        return false;
    run->probe = what->probes[k].table;
    run->probes = what->probes[k].count;
    return true;
}

static bool open_runs(view *what, char *message, size_t message_size)
{
    for (int k = 0; k < what->runs; k++)
        if (!open_run(what, k, message, message_size))
            return false;
    if (what->runs == 2 && cst_cache_about(what->run[0].cache)->dim != cst_cache_about(what->run[1].cache)->dim) {
        snprintf(message, message_size, "a run of the plane and one of space cannot be shown side by side");
        return false;
    }
    return true;
}

static void close_runs(view *what)
{
    for (int k = 0; k < what->runs; k++) {
        cst_cache_close(what->run[k].cache);
        cst_page_probes_free(&what->probes[k]);
    }
}

static char *unpack_viewer(char *message, size_t message_size)
{
    const cst_page_viewer *viewer = &cst_the_page_viewer;
    if (!viewer->packed) {
        snprintf(message, message_size,
                 "this capstan was built without the viewer, which needs npm (apt-get install npm) and, the first time, the "
                 "network; everything else works");
        return NULL;
    }
    char *text = malloc(viewer->bytes);
    uLongf bytes = (uLongf)viewer->bytes;
    if (text && uncompress((Bytef *)text, &bytes, viewer->packed, (uLong)viewer->packed_bytes) == Z_OK && bytes == viewer->bytes)
        return text;
    free(text);
    return NULL;
}

static bool show_progress(void *user, int64_t done, int64_t all)
{
    view *what = user;
    if (done % 20 == 0)
        cst_progress_note(&what->progress, "frame %lld of %lld", (long long)done, (long long)all);
    return !cst_interrupted();
}

/* Writes the page to a temporary file and renames it, so that a page is never incomplete. */
static bool write_page(view *what, const char *viewer, const char *path, cst_page_size *size, char *message, size_t message_size)
{
    char *aside = with_ending(path, ".part");
    FILE *to = aside ? fopen(aside, "wb") : NULL;
    if (!to) {
        snprintf(message, message_size, "%s: %s", path, aside ? strerror(errno) : "not enough memory");
        free(aside);
        return false;
    }
    cst_progress_begin(&what->progress, 0.0, "view");
    char why[384];
    bool good = cst_page_write(to, viewer, cst_the_page_viewer.bytes, what->run, what->runs, &what->choice, show_progress, what,
                               size, why, sizeof why);
    cst_progress_end(&what->progress);
    if (!good)
        snprintf(message, message_size, "%s: %s", path, why);
    if (fclose(to) != 0 && good) {
        snprintf(message, message_size, "%s: %s", path, strerror(errno));
        good = false;
    }
    if (good && rename(aside, path) != 0) {
        snprintf(message, message_size, "%s: %s", path, strerror(errno));
        good = false;
    }
    if (!good)
        remove(aside);
    free(aside);
    return good;
}

/* RUN/view.html, or RUN/view_OTHER.html. */
static char *default_path(const view *what)
{
    char name[300] = "view";
    if (what->runs == 2)
        snprintf(name, sizeof name, "view_%s", what->run[1].name);
    return cst_path_join(what->directory[0], name, ".html");
}

extern char **environ;

static void open_page(const char *path)
{
    char program[] = "xdg-open";
    char *argument = with_ending(path, "");
    char *arguments[] = {program, argument, NULL};
    pid_t child;
    int status = 0;
    if (!argument || posix_spawnp(&child, program, NULL, NULL, arguments, environ) != 0 || waitpid(child, &status, 0) < 0 ||
        status != 0)
        fputs("capstan view: no browser could be opened (xdg-open); open the file yourself\n", stderr);
    free(argument);
}

static int view_runs(view *what, const char *out, bool open)
{
    char message[512] = "not enough memory";
    cst_page_size size;
    struct stat about;
    double started = cst_clock_seconds();
    char *viewer = unpack_viewer(message, sizeof message), *path = NULL;
    bool good = viewer && open_runs(what, message, sizeof message);
    if (good) {
        path = out ? with_ending(out, "") : default_path(what);
        good = path && write_page(what, viewer, path, &size, message, sizeof message);
    }
    if (!good) {
        fprintf(stderr, "capstan view: %s\n", message);
    } else {
        double megabytes = stat(path, &about) == 0 ? (double)about.st_size / 1e6 : 0.0;
        printf("wrote %s: %lld frames, %.1f MB, %.1f s\n", path, (long long)size.frames, megabytes,
               cst_clock_seconds() - started);
        if (open)
            open_page(path);
    }
    free(path);
    free(viewer);
    return good ? CST_EXIT_SOLVED : cst_interrupted() ? CST_EXIT_INTERRUPTED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan view",
    .usage = "RUN [RUN] [options]",
    .about = "Writes a run as one HTML file to look at in a browser: it needs no server and no network.",
    .more = "RUN is the directory that capstan run made. Two runs are shown side by side, with common time and camera.",
    .ending = "Exit status: 0 written, 2 a run that cannot be read or a page that could not be written,\n130 stopped by Ctrl-C.\n"
              "\n"
              "Examples:\n"
              "  capstan view fall.run --open\n"
              "  capstan view rough.run smooth.run --out compare.html\n"
              "  capstan view hair.run --from 1 --to 3 --every 4 --every-fiber 10"};

int cst_command_view(int argc, char **argv)
{
    view what = {.choice = {-1e300, 1e300, 1}, .every_fiber = 1};
    const char *out = NULL;
    bool open = false;
    const cst_option options[] = {
        cst_option_text("out", &out, "FILE", "the page (RUN/view.html)"),
        cst_option_flag("open", &open, "open it in the browser"),
        cst_option_real("from", &what.choice.from, "T", -1e300, 1e300, "first time to show, in s"),
        cst_option_real("to", &what.choice.to, "T", -1e300, 1e300, "last time to show, in s"),
        cst_option_integer("every", &what.choice.every, "N", 1, 1000000, "only every N-th frame"),
        cst_option_integer("every-fiber", &what.every_fiber, "K", 1, 1000000, "only every K-th rod or fiber, and its contacts"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code);
    if (operands < 0)
        return code;
    if (operands < 1 || operands > RUNS_MAX) {
        fputs("capstan view: name the directory of one run, or of two\n", stderr);
        return CST_EXIT_BAD;
    }
    what.runs = operands;
    for (int k = 0; k < operands; k++)
        what.directory[k] = argv[k];
    cst_interrupt_install();
    code = view_runs(&what, out, open);
    close_runs(&what);
    return code;
}
