/* capstan plot: draws charts of a run. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/chart_files.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/plot_runs.h"
#include "cli/probe_charts.h"
#include "cli/progress.h"
#include "cli/run_argument.h"
#include "cli/run_charts.h"

enum { PICTURE_PANELS = CST_RUN_CHARTS };

/* The groups of charts; the option --only of `capstan plot` selects some of them. Each group of charts is written as one
 * picture; `first` and `last` are the first and the last chart of the group. */
static const struct {
    cst_run_chart first, last;
} group_of[CST_PLOT_GROUPS] = {
    [CST_PLOT_ENERGIES] = {CST_RUN_ENERGIES, CST_RUN_UNEXPLAINED},
    [CST_PLOT_CONTACTS] = {CST_RUN_CONTACTS, CST_RUN_CONTACTS},
    [CST_PLOT_RESIDUAL] = {CST_RUN_RESIDUAL, CST_RUN_RESIDUAL},
    [CST_PLOT_ITERATIONS] = {CST_RUN_ITERATIONS, CST_RUN_ITERATIONS},
    [CST_PLOT_DT] = {CST_RUN_DT, CST_RUN_DT},
    [CST_PLOT_PENETRATION] = {CST_RUN_PENETRATION, CST_RUN_PENETRATION},
    [CST_PLOT_PROBES] = {CST_RUN_CHARTS, CST_RUN_CHARTS},
};

typedef struct plot {
    const char *run, *out;
    bool chosen[CST_PLOT_GROUPS];
    bool everything; /* nothing was chosen */
    cst_run_chart_style view;
    char title[256], subtitle[256];
    int written;
} plot;

/* Reads a list of groups of charts such as "energies,contacts"; returns false with a message if the name of a group is
 * unknown. */
static bool choose(plot *what, const char *list, char *message, size_t message_size)
{
    what->everything = !list;
    for (int k = 0; k < CST_PLOT_GROUPS; k++)
        what->chosen[k] = !list;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        int found = -1;
        for (int k = 0; k < CST_PLOT_GROUPS; k++)
            if (strlen(cst_plot_group_name[k]) == length && strncmp(cst_plot_group_name[k], list, length) == 0)
                found = k;
        if (found < 0) {
            snprintf(message, message_size,
                     "--only: there is no \"%.*s\"; choose from energies, contacts, residual, iterations, dt, "
                     "penetration, probes",
                     (int)length, list);
            return false;
        }
        what->chosen[found] = true;
        list += length + (list[length] == ',');
    }
    return true;
}

/* Reads the size of the PNG in pixels (two pixels per point). */
static bool read_size(plot *what, const char *text, char *message, size_t message_size)
{
    int width = 0, height = 0;
    char rest = 0;
    if (text && (sscanf(text, "%dx%d%c", &width, &height, &rest) != 2 || width < 300 || height < 200 || width > 20000 ||
                 height > 20000)) {
        snprintf(message, message_size, "--size %s: give it as WIDTHxHEIGHT in pixels, from 300x200 to 20000x20000", text);
        return false;
    }
    what->view.width = (width + 1) / 2;
    what->view.height = (height + 1) / 2;
    return true;
}

static bool write_picture(plot *what, const cst_chart_sheet *sheet, const char *directory, const char *name)
{
    what->written++;
    return cst_sheet_files_write(sheet, directory, name);
}

static cst_chart_sheet sheet_of(const plot *what, const cst_chart *const *panel, int panels)
{
    return (cst_chart_sheet){.title = what->title,
                             .subtitle = what->subtitle,
                             .panel = panel,
                             .panels = panels,
                             .width = what->view.width,
                             .height = what->view.height};
}

/* Collects the charts of the groups that the user has selected, if these charts exist. */
static int gather(const plot *what, const cst_run_charts *charts, int first_group, int last_group, const cst_chart **panel)
{
    int panels = 0;
    for (int k = first_group; k <= last_group; k++)
        for (cst_run_chart i = group_of[k].first; what->chosen[k] && i <= group_of[k].last && i < CST_RUN_CHARTS; i++)
            if (charts->chart[i])
                panel[panels++] = charts->chart[i];
    return panels;
}

static bool write_groups(plot *what, const cst_run_charts *charts, const char *directory)
{
    const cst_chart *panel[PICTURE_PANELS];
    bool good = true;
    for (int k = 0; good && k < CST_PLOT_GROUPS; k++) {
        int panels = gather(what, charts, k, k, panel);
        const cst_chart_sheet sheet = sheet_of(what, panel, panels);
        if (panels > 0)
            good = write_picture(what, &sheet, directory, cst_plot_group_name[k]);
    }
    int panels = gather(what, charts, 0, CST_PLOT_GROUPS - 1, panel);
    const cst_chart_sheet overview = sheet_of(what, panel, panels);
    return good && (panels < 2 || !what->everything || write_picture(what, &overview, directory, "overview"));
}

static bool write_probe(plot *what, const char *file, const char *name, const char *directory)
{
    char message[512], title[600];
    cst_probe_charts charts;
    bool good = cst_probe_charts_make(&charts, file, name, &what->view, message, sizeof message);
    if (!good)
        fprintf(stderr, "capstan plot: %s\n", message);
    snprintf(title, sizeof title, "%s: %s", what->title, name);
    const cst_chart *panel[CST_PROBE_PANELS_MAX];
    for (int i = 0; i < charts.panels; i++)
        panel[i] = charts.panel[i];
    cst_chart_sheet sheet = sheet_of(what, panel, charts.panels);
    sheet.title = title;
    char own[300];
    snprintf(own, sizeof own, "probe_%s", name);
    if (good && charts.panels > 0)
        good = write_picture(what, &sheet, directory, own);
    const cst_chart *alone[] = {charts.path, charts.loop};
    static const char *const suffix[] = {"path", "loop"};
    for (int k = 0; good && k < 2; k++) {
        const cst_chart_sheet single = sheet_of(what, alone + k, 1);
        snprintf(own, sizeof own, "probe_%s_%s", name, suffix[k]);
        good = !alone[k] || write_picture(what, &single, directory, own);
    }
    cst_probe_charts_free(&charts);
    return good;
}

/* Draws the charts of every probe from its CSV file, in the order of the probes' names. */
static bool write_probes(plot *what, const char *directory)
{
    char *folder = cst_path_join(what->run, "probes", "");
    struct dirent **entry = NULL;
    int count = folder ? scandir(folder, &entry, cst_is_probe_table, alphasort) : 0;
    bool good = folder != NULL;
    for (int i = 0; i < count; i++) {
        char *file = cst_path_join(folder, entry[i]->d_name, "");
        entry[i]->d_name[strlen(entry[i]->d_name) - 4] = '\0';
        good = good && file && write_probe(what, file, entry[i]->d_name, directory);
        free(file);
        free(entry[i]);
    }
    free(entry);
    free(folder);
    return good;
}

static cst_cache *open_run(const char *run, char *message, size_t message_size)
{
    if (!cst_is_directory(run, message, message_size))
        return NULL;
    cst_cache *cache = cst_cache_open(run, message, message_size);
    if (!cache || cst_cache_about(cache)->steps > 0)
        return cache;
    snprintf(message, message_size, "%s: the run has not saved a step yet", run);
    cst_cache_close(cache);
    return NULL;
}

/* Applies --from and --to. Without --from, the time axis starts at time 0, and not at the first recorded time, which is the end
 * of the first step. */
static bool limit_time(plot *what, cst_cache *cache, double from, double to, char *message, size_t message_size)
{
    int64_t steps = cst_cache_about(cache)->steps;
    double *time = malloc((size_t)steps * sizeof *time);
    bool memory = time != NULL, read = memory && cst_cache_step_column(cache, "time", time);
    what->view.from = isnan(from) ? 0 : from;
    what->view.to = !isnan(to) ? to : read ? time[steps - 1] : 0;
    free(time);
    if (!read)
        snprintf(message, message_size, "%s", memory ? cst_cache_message(cache) : "out of memory");
    else if (!(what->view.from < what->view.to))
        snprintf(message, message_size, "there is no time from %g s to %g s", what->view.from, what->view.to);
    return read && what->view.from < what->view.to;
}

static int write_all(plot *what, const cst_run_charts *charts)
{
    char message[512] = "out of memory";
    bool good;
    if (what->out && cst_picture_path(what->out)) {
        const cst_chart *panel[PICTURE_PANELS];
        const cst_chart_sheet sheet = sheet_of(what, panel, gather(what, charts, 0, CST_PLOT_GROUPS - 1, panel));
        good = sheet.panels == 0 || cst_picture_write(&sheet, what->out, message, sizeof message);
        if (!good)
            fprintf(stderr, "capstan plot: %s\n", message);
        else if (sheet.panels > 0)
            printf("wrote %s\n", what->out);
        what->written = sheet.panels;
    } else {
        char *own = what->out ? NULL : cst_path_join(what->run, "plots", "");
        const char *directory = what->out ? what->out : own;
        good = directory && cst_directory_make(directory, message, sizeof message);
        if (!good)
            fprintf(stderr, "capstan plot: %s\n", message);
        good = good && write_groups(what, charts, directory) && (!what->chosen[CST_PLOT_PROBES] || write_probes(what, directory));
        free(own);
    }
    if (good && what->written == 0) {
        fprintf(stderr, "capstan plot: %s: there is nothing of what --only asks for\n", what->run);
        good = false;
    }
    return good ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

static const cst_command command = {
    .name = "capstan plot",
    .usage = "RUN... [options]",
    .about = "Draws what happened in a run: energies and their budget, contacts, residual, probes.",
    .more = "RUN is the directory that capstan run made. Writes PNG and SVG, one file each and an overview. Several runs share\n"
            "charts: one for each quantity, with a curve for each run, and one for each probe that all of them have; they go to\n"
            "FIRST/plots_compared.",
    .ending = "Exit status: 0 written, 2 with the reason.\n"
              "\n"
              "Examples:\n"
              "  capstan plot fall.run\n"
              "  capstan plot fall.run --only energies,residual --from 0.2 --out fall.png\n"
              "  capstan plot mu_01.run mu_03.run mu_06.run --only probes --out compared"};

static int plot_several(const plot *what, const char *const *run, int runs, double from, double to)
{
    char message[512] = "out of memory";
    cst_run_chart_style view = what->view;
    view.from = from;
    view.to = to;
    char *own = what->out ? NULL : cst_path_join(run[0], "plots_compared", "");
    const char *directory = what->out ? what->out : own;
    int written = -1;
    if (what->out && cst_picture_path(what->out))
        snprintf(message, sizeof message, "--out %s: the charts of several runs need a directory", what->out);
    else if (cst_is_directory(run[0], message, sizeof message) && directory &&
             cst_directory_make(directory, message, sizeof message))
        written = cst_plot_runs(run, runs, what->chosen, &view, directory, message, sizeof message);
    if (written <= 0)
        fprintf(stderr, "capstan plot: %s\n", written < 0 ? message : "there is nothing of what --only asks for in all runs");
    free(own);
    return written > 0 ? CST_EXIT_SOLVED : CST_EXIT_BAD;
}

int cst_command_plot(int argc, char **argv)
{
    plot what = {0};
    const char *only = NULL, *size = NULL;
    double from = NAN, to = NAN;
    const cst_option options[] = {
        cst_option_text("out", &what.out, "PATH", "a picture (FILE.png, FILE.svg) or a directory (RUN/plots)"),
        cst_option_text("only", &only, "LIST", "energies,contacts,residual,iterations,dt,penetration,probes"),
        cst_option_text("size", &size, "WxH", "pixels of a PNG, 2 to the point; higher where a legend needs it"),
        cst_option_real("from", &from, "T", -1e300, 1e300, "time to begin at, in s"),
        cst_option_real("to", &to, "T", -1e300, 1e300, "time to end at, in s"),
    };
    int code;
    const int operands = cst_arguments_parse(&command, options, CST_OPTION_COUNT_OF(options), argc, argv, &code);
    if (operands < 0)
        return code;
    char message[512] = "name the directory of a run";
    bool ready = operands >= 1 && choose(&what, only, message, sizeof message) && read_size(&what, size, message, sizeof message);
    if (ready && operands > 1)
        return plot_several(&what, (const char *const *)argv, operands, from, to);
    what.run = operands == 1 ? argv[0] : "";
    cst_cache *cache = ready ? open_run(what.run, message, sizeof message) : NULL;
    const cst_cache_info *info = cache ? cst_cache_about(cache) : NULL;
    cst_run_charts charts = {0};
    ready = cache && limit_time(&what, cache, from, to, message, sizeof message) &&
            cst_run_charts_make(&charts, cache, &what.view, message, sizeof message);
    code = CST_EXIT_BAD;
    if (ready) {
        snprintf(what.title, sizeof what.title, "%s", *info->title ? info->title : what.run);
        snprintf(what.subtitle, sizeof what.subtitle, "%lld steps of at most %g s, tolerance %g, capstan %s",
                 (long long)info->steps, info->dt, info->tolerance, info->version);
        code = write_all(&what, &charts);
    } else {
        fprintf(stderr, "capstan plot: %s\n", message);
    }
    cst_run_charts_free(&charts);
    cst_cache_close(cache);
    return code;
}
