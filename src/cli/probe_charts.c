#include "cli/probe_charts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/csv_read.h"

#define TIME "time [s]"

/* The name of a column contains its unit, as in "fx [N]"; columns of the same unit are drawn in the same chart. */
static const struct {
    const char *unit, *title, *label;
} panel_of[] = {
    {"m", "Position", "position (m)"}, {"rad", "Angle", "angle (rad)"},   {"m/s", "Velocity", "velocity (m/s)"},
    {"N", "Force", "force (N)"},       {"N m", "Moment", "moment (N m)"}, {"J", "Energies and works", "energy (J)"},
};

enum { PANELS = sizeof panel_of / sizeof panel_of[0] };

static bool has_unit(const char *column, const char *unit)
{
    const char *from = strchr(column, '[');
    size_t length = strlen(unit);
    return from && strncmp(from + 1, unit, length) == 0 && strcmp(from + 1 + length, "]") == 0;
}

/* "fx" of "fx [N]". */
static void plain_name(const char *column, char *name, size_t size)
{
    size_t length = strcspn(column, "[");
    while (length > 0 && column[length - 1] == ' ')
        length--;
    snprintf(name, size, "%.*s", (int)length, column);
}

static int column_index(const cst_csv_file *file, const char *name)
{
    for (int c = 0; c < file->columns; c++)
        if (strcmp(file->field[c], name) == 0)
            return c;
    return -1;
}

static bool all_zero(const cst_csv_file *file, const char *column)
{
    for (int i = 0; i < file->rows; i++)
        if (cst_csv_number(file, i, column) != 0)
            return false;
    return true;
}

static cst_chart *new_panel(cst_probe_charts *charts, const char *title, const char *label, const cst_run_chart_style *view)
{
    cst_chart *chart =
        cst_chart_new(&(cst_chart_definition){.title = title,
                                              .x = {.label = "time (s)", .tight = true, .low = view->from, .high = view->to},
                                              .y.label = label,
                                              .width = view->width,
                                              .height = view->height});
    charts->panel[charts->panels++] = chart;
    return chart;
}

static void add(cst_chart *chart, const cst_csv_file *file, const char *abscissa, const char *ordinate, const char *name,
                int colour, const cst_run_chart_style *view)
{
    int series = cst_chart_series(
        chart, &(cst_series_style){
                   .name = name, .line = colour <= CST_CHART_COLOURS ? CST_LINE_SOLID : CST_LINE_DASHED, .colour = colour});
    for (int i = 0; i < file->rows; i++) {
        double time = cst_csv_number(file, i, TIME);
        if (time < view->from || time > view->to)
            continue;
        cst_chart_point(chart, series, cst_csv_number(file, i, abscissa), cst_csv_number(file, i, ordinate));
    }
}

/* Returns the number of drawn columns with the given unit. `name`: receives the name of the last of these columns. */
static int count_columns(const cst_csv_file *file, const char *unit, bool with_zeros, char *name, size_t size)
{
    int count = 0;
    for (int c = 0; c < file->columns; c++) {
        const char *column = file->field[c];
        if (!has_unit(column, unit) || (!with_zeros && all_zero(file, column)))
            continue;
        plain_name(column, name, size);
        count++;
    }
    return count;
}

/* Columns that contain only zeros (such as z in 2D) are not drawn, unless all columns contain only zeros. */
static void make_panels(cst_probe_charts *charts, const cst_csv_file *file, const cst_run_chart_style *view, bool with_zeros)
{
    for (int k = 0; k < PANELS; k++) {
        cst_chart *chart = NULL;
        int drawn = 0;
        char lone[64] = "", label[128];
        const bool alone = count_columns(file, panel_of[k].unit, with_zeros, lone, sizeof lone) == 1;
        snprintf(label, sizeof label, "%s%s%s", alone ? lone : "", alone ? ": " : "",
                 panel_of[k].label); /* a single curve has no legend */
        for (int c = 0; c < file->columns; c++) {
            const char *column = file->field[c];
            if (!has_unit(column, panel_of[k].unit) || (!with_zeros && all_zero(file, column)))
                continue;
            char name[64];
            plain_name(column, name, sizeof name);
            if (!chart)
                chart = new_panel(charts, panel_of[k].title, label, view);
            add(chart, file, TIME, column, name, ++drawn, view);
        }
    }
}

static double range_of(const cst_csv_file *file, const char *column)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < file->rows && column_index(file, column) >= 0; i++) {
        double value = cst_csv_number(file, i, column);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return high > low ? high - low : 0.0;
}

static void make_loop(cst_probe_charts *charts, const cst_csv_file *file, const char *name, const cst_run_chart_style *view)
{
    static const char *const moved[] = {"dx [m]", "dy [m]", "dz [m]"}, *const force[] = {"fx [N]", "fy [N]", "fz [N]"};
    char title[300], x[64], y[64];
    int axis = 0;
    for (int c = 1; c < 3; c++)
        axis = range_of(file, moved[c]) > range_of(file, moved[axis]) ? c : axis;
    if (range_of(file, moved[axis]) == 0.0)
        return;
    snprintf(title, sizeof title, "Force against displacement of %s", name);
    snprintf(x, sizeof x, "displacement %.2s (m)", moved[axis]);
    snprintf(y, sizeof y, "force %.2s (N)", force[axis]);
    charts->loop = cst_chart_new(&(cst_chart_definition){
        .title = title, .x = {.label = x, .tight = true}, .y.label = y, .width = view->width, .height = view->height});
    add(charts->loop, file, moved[axis], force[axis], name, 1, view);
}

bool cst_probe_charts_make(cst_probe_charts *charts, const char *path, const char *name, const cst_run_chart_style *view,
                           char *message, size_t message_size)
{
    *charts = (cst_probe_charts){0};
    cst_csv_file file;
    bool good = cst_csv_file_read(&file, path, message, message_size);
    if (good && column_index(&file, TIME) < 0) {
        snprintf(message, message_size, "%s: there is no column \"" TIME "\"", path);
        good = false;
    }
    bool rows = good && file.rows > 0; /* the CSV file of a probe has no rows yet if the run has just begun */
    if (rows)
        make_panels(charts, &file, view, false);
    if (rows && charts->panels == 0)
        make_panels(charts, &file, view, true);
    if (rows && column_index(&file, "x [m]") >= 0 && column_index(&file, "y [m]") >= 0) {
        char title[300];
        snprintf(title, sizeof title, "Path of %s", name);
        charts->path = cst_chart_new(&(cst_chart_definition){
            .title = title, .x.label = "x (m)", .y.label = "y (m)", .equal = true, .width = view->width, .height = view->height});
        add(charts->path, &file, "x [m]", "y [m]", name, 1, view);
    }
    if (rows)
        make_loop(charts, &file, name, view);
    cst_csv_file_free(&file);
    return good;
}

void cst_probe_charts_free(cst_probe_charts *charts)
{
    for (int i = 0; i < charts->panels; i++)
        cst_chart_free(charts->panel[i]);
    cst_chart_free(charts->path);
    cst_chart_free(charts->loop);
}

int cst_is_probe_table(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}
