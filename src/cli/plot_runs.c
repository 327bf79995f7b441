#include "cli/plot_runs.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart_files.h"
#include "cli/csv_read.h"
#include "cli/probe_charts.h"
#include "cli/run_argument.h"
#include "write/directory.h"

const char *const cst_plot_group_name[CST_PLOT_GROUPS] = {"energies", "contacts",    "residual", "iterations",
                                                          "dt",       "penetration", "probes"};

enum { PANELS_MAX = 12 }; /* the probe with the most quantities, that of the energies, has 12 besides the time */

#define TIME "time [s]"

static const struct {
    cst_plot_group group;
    const char *column, *title, *label;
    bool logarithmic, whole, step;
} quantity[] = {
    {CST_PLOT_ENERGIES, "energy_kinetic", "Kinetic energy", "energy (J)", false, false, false},
    {CST_PLOT_ENERGIES, "energy_elastic", "Elastic energy", "energy (J)", false, false, false},
    {CST_PLOT_ENERGIES, "work_friction", "Work of friction", "work (J)", false, false, false},
    {CST_PLOT_ENERGIES, "energy_unexplained", "Energy that the works do not account for", "energy (J)", false, false, false},
    {CST_PLOT_CONTACTS, "contacts", "Contacts", "contacts", false, true, true},
    {CST_PLOT_RESIDUAL, "error", "How far the Coulomb law is from being met", "E", true, false, false},
    {CST_PLOT_ITERATIONS, "iterations", "Iterations of friction", "per step", false, true, true},
    {CST_PLOT_DT, "dt", "Time step", "dt (s)", false, false, true},
    {CST_PLOT_PENETRATION, "penetration", "Penetration", "length (m)", false, false, false},
};

enum { QUANTITIES = sizeof quantity / sizeof quantity[0] };

/* The opened runs, with their names for legends. */
typedef struct plotted {
    int runs;
    const char *const *path;
    cst_cache **cache;
    char (*name)[64];
    cst_run_chart_style view;
    const char *directory;
    int written;
} plotted;

/* "rough" of "some/where/rough.run/". */
static void name_run(const char *path, char *name, size_t size)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    if (end - begin > 4 && strncmp(path + end - 4, ".run", 4) == 0)
        end -= 4;
    snprintf(name, size, "%.*s", (int)(end - begin), path + begin);
}

static cst_series_style style_of(const plotted *all, int run, bool step)
{
    return (cst_series_style){.name = all->name[run],
                              .colour = run % CST_CHART_COLOURS + 1,
                              .line = run < CST_CHART_COLOURS ? CST_LINE_SOLID : CST_LINE_DASHED,
                              .step = step};
}

static cst_chart *new_chart(const plotted *all, const char *title, const char *label, bool logarithmic, bool whole)
{
    return cst_chart_new(
        &(cst_chart_definition){.title = title,
                                .x = {.label = "time (s)", .tight = true, .low = all->view.from, .high = all->view.to},
                                .y = {.label = label, .logarithmic = logarithmic, .whole = whole},
                                .width = all->view.width,
                                .height = all->view.height});
}

/* Adds a curve to a chart: one quantity of one run, plotted over time. */
static bool add_steps(const plotted *all, int run, int which, cst_chart *chart, char *message, size_t message_size)
{
    const int64_t steps = cst_cache_about(all->cache[run])->steps;
    double *time = malloc((size_t)steps * sizeof *time), *value = malloc((size_t)steps * sizeof *value);
    const bool room = time && value;
    const bool read = room && cst_cache_step_column(all->cache[run], "time", time) &&
                      cst_cache_step_column(all->cache[run], quantity[which].column, value);
    const cst_series_style style = style_of(all, run, quantity[which].step);
    const int series = read ? cst_chart_series(chart, &style) : -1;
    for (int64_t i = 0; read && i < steps; i++)
        cst_chart_point(chart, series, time[i], value[i]);
    free(time);
    free(value);
    if (!read)
        snprintf(message, message_size, "%s", room ? cst_cache_message(all->cache[run]) : "out of memory");
    return read;
}

static bool write_sheet(plotted *all, cst_chart *const *panel, int panels, const char *title, const char *name)
{
    const cst_chart *shown[PANELS_MAX];
    for (int i = 0; i < panels; i++)
        shown[i] = panel[i];
    const cst_chart_sheet sheet = {
        .title = title, .panel = shown, .panels = panels, .width = all->view.width, .height = all->view.height};
    all->written += panels > 0;
    return panels == 0 || cst_sheet_files_write(&sheet, all->directory, name);
}

static bool write_group(plotted *all, cst_plot_group group, char *message, size_t message_size)
{
    cst_chart *panel[PANELS_MAX];
    int panels = 0;
    bool good = true;
    for (int q = 0; good && q < QUANTITIES; q++) {
        if (quantity[q].group != group)
            continue;
        cst_chart *chart = new_chart(all, quantity[q].title, quantity[q].label, quantity[q].logarithmic, quantity[q].whole);
        for (int run = 0; good && run < all->runs; run++)
            good = add_steps(all, run, q, chart, message, message_size);
        panel[panels++] = chart;
    }
    char title[32];
    snprintf(title, sizeof title, "%d runs", all->runs);
    good = good && write_sheet(all, panel, panels, title, cst_plot_group_name[group]);
    for (int i = 0; i < panels; i++)
        cst_chart_free(panel[i]);
    return good;
}

/* ---------------------------------------------------------------------------------------------------------------- probes */

/* Returns true if a column of a probe, other than the time, has a nonzero value in any run. A column that contains only zeros is
 * drawn only if every other column of the probe, except the time, also contains only zeros. */
static bool worth_drawing(const cst_csv_file *file, int runs, const char *column)
{
    if (strcmp(column, TIME) == 0)
        return false;
    for (int run = 0; run < runs; run++)
        for (int i = 0; i < file[run].rows; i++)
            if (cst_csv_number(&file[run], i, column) != 0)
                return true;
    return false;
}

/* Writes a label such as "fx (N)" for the column "fx [N]". */
static void label_column(const char *column, char *label, size_t size)
{
    const size_t length = strcspn(column, "[");
    snprintf(label, size, "%.*s(%.*s)", (int)length, column, (int)strcspn(column[length] ? column + length + 1 : "", "]"),
             column[length] ? column + length + 1 : "");
}

static bool write_probe(plotted *all, const cst_csv_file *file, const char *probe)
{
    cst_chart *panel[PANELS_MAX];
    int panels = 0, worth = 0;
    for (int c = 0; c < file[0].columns; c++)
        worth += worth_drawing(file, all->runs, file[0].field[c]);
    for (int c = 0; c < file[0].columns && panels < PANELS_MAX; c++) {
        const char *column = file[0].field[c];
        if (strcmp(column, TIME) == 0 || (worth > 0 && !worth_drawing(file, all->runs, column)))
            continue;
        char label[80];
        label_column(column, label, sizeof label);
        cst_chart *chart = new_chart(all, "", label, false, false);
        for (int run = 0; run < all->runs; run++) {
            const cst_series_style style = style_of(all, run, false);
            const int series = cst_chart_series(chart, &style);
            for (int i = 0; i < file[run].rows; i++)
                cst_chart_point(chart, series, cst_csv_number(&file[run], i, TIME), cst_csv_number(&file[run], i, column));
        }
        panel[panels++] = chart;
    }
    char name[300];
    snprintf(name, sizeof name, "probe_%s", probe);
    const bool good = write_sheet(all, panel, panels, probe, name);
    for (int i = 0; i < panels; i++)
        cst_chart_free(panel[i]);
    return good;
}

/* If every run has the probe file `entry` (such as "tip.csv"), draws the quantities that the probe recorded in all runs. If a run
 * has no file `entry`, draws nothing and returns true. */
static bool write_if_shared(plotted *all, const char *entry, char *message, size_t message_size)
{
    cst_csv_file *file = calloc((size_t)all->runs, sizeof *file);
    bool shared = file != NULL, good = shared;
    for (int run = 0; shared && run < all->runs; run++) {
        char *path = cst_path_join(all->path[run], "probes/", entry);
        FILE *there = path ? fopen(path, "r") : NULL;
        shared = there != NULL;
        if (there)
            fclose(there);
        good = !shared || cst_csv_file_read(&file[run], path, message, message_size);
        shared = shared && good;
        free(path);
    }
    if (shared) {
        char probe[256];
        snprintf(probe, sizeof probe, "%.*s", (int)(strlen(entry) - 4), entry);
        good = write_probe(all, file, probe);
    }
    for (int run = 0; file && run < all->runs; run++)
        cst_csv_file_free(&file[run]);
    free(file);
    return good;
}

static bool write_probes(plotted *all, char *message, size_t message_size)
{
    char *folder = cst_path_join(all->path[0], "probes", "");
    struct dirent **entry = NULL;
    const int count = folder ? scandir(folder, &entry, cst_is_probe_table, alphasort) : 0;
    bool good = folder != NULL;
    for (int i = 0; i < count; i++) {
        good = good && write_if_shared(all, entry[i]->d_name, message, message_size);
        free(entry[i]);
    }
    free(entry);
    free(folder);
    return good;
}

/* ------------------------------------------------------------------------------------------------------------------ runs */

static bool open_runs(plotted *all, char *message, size_t message_size)
{
    double end = 0;
    for (int run = 0; run < all->runs; run++) {
        name_run(all->path[run], all->name[run], sizeof all->name[run]);
        all->cache[run] = cst_is_directory(all->path[run], message, message_size)
                              ? cst_cache_open(all->path[run], message, message_size)
                              : NULL;
        if (!all->cache[run])
            return false;
        const int64_t steps = cst_cache_about(all->cache[run])->steps;
        double *time = malloc((size_t)(steps > 0 ? steps : 1) * sizeof *time);
        const bool read = time && steps > 0 && cst_cache_step_column(all->cache[run], "time", time);
        end = read ? fmax(end, time[steps - 1]) : end;
        free(time);
        if (!read) {
            snprintf(message, message_size, "%s: the run has not saved a step yet, or cannot be read", all->path[run]);
            return false;
        }
    }
    all->view.from = isnan(all->view.from) ? 0 : all->view.from;
    all->view.to = isnan(all->view.to) ? end : all->view.to;
    if (!(all->view.from < all->view.to)) {
        snprintf(message, message_size, "there is no time from %g s to %g s", all->view.from, all->view.to);
        return false;
    }
    return true;
}

int cst_plot_runs(const char *const *run, int runs, const bool chosen[CST_PLOT_GROUPS], const cst_run_chart_style *view,
                  const char *directory, char *message, size_t message_size)
{
    plotted all = {.runs = runs, .path = run, .view = *view, .directory = directory};
    all.cache = calloc((size_t)runs, sizeof *all.cache);
    all.name = calloc((size_t)runs, sizeof *all.name);
    snprintf(message, message_size, "out of memory");
    bool good = all.cache && all.name && open_runs(&all, message, message_size);
    for (cst_plot_group group = 0; good && group < CST_PLOT_PROBES; group++)
        good = !chosen[group] || write_group(&all, group, message, message_size);
    good = good && (!chosen[CST_PLOT_PROBES] || write_probes(&all, message, message_size));
    for (int i = 0; all.cache && i < runs; i++)
        cst_cache_close(all.cache[i]);
    free(all.cache);
    free(all.name);
    return good ? all.written : -1;
}
