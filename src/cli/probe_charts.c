#include "cli/probe_charts.h"

#include <stdio.h>
#include <string.h>

#include "cli/csv_read.h"

/* Columns of one quantity share a panel. A column that is not listed gets a panel of its own. */
static const struct {
    const char *title, *label;
    const char *column[4];
} panel_of[] = {
    {"Position", "position (m)", {"x", "y", "z", NULL}},
    {"Angle", "angle (rad)", {"angle", NULL, NULL, NULL}},
    {"Velocity", "velocity (m/s)", {"vx", "vy", "vz", NULL}},
    {"Force", "force (N)", {"fx", "fy", "fz", NULL}},
    {"Moment", "moment (N m)", {"mx", "my", "mz", "moment"}},
    {"Energy", "energy (J)", {"kinetic", "elastic", "gravity", "unexplained"}},
};

enum { KNOWN = sizeof panel_of / sizeof panel_of[0] };

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

static cst_chart *new_panel(cst_probe_charts *charts, const char *title, const char *label, const cst_run_view *view)
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
                int colour, const cst_run_view *view)
{
    int series = cst_chart_series(chart, &(cst_series_style){.name = name, .line = CST_LINE_SOLID, .colour = colour});
    for (int i = 0; i < file->rows; i++) {
        double time = cst_csv_number(file, i, "time");
        if (time < view->from || time > view->to)
            continue;
        cst_chart_point(chart, series, cst_csv_number(file, i, abscissa), cst_csv_number(file, i, ordinate));
    }
}

static void make_panels(cst_probe_charts *charts, const cst_csv_file *file, const cst_run_view *view)
{
    for (int k = 0; k < KNOWN; k++) {
        cst_chart *chart = NULL;
        for (int c = 0; c < 4; c++) {
            const char *column = panel_of[k].column[c];
            /* The third component of a plane is always zero: not worth a line. */
            if (!column || column_index(file, column) < 0 || (c == 2 && all_zero(file, column)))
                continue;
            if (!chart)
                chart = new_panel(charts, panel_of[k].title, panel_of[k].label, view);
            add(chart, file, "time", column, column, c + 1, view);
        }
    }
}

static bool listed(const char *column)
{
    for (int k = 0; k < KNOWN; k++)
        for (int c = 0; c < 4; c++)
            if (panel_of[k].column[c] && strcmp(panel_of[k].column[c], column) == 0)
                return true;
    return strcmp(column, "time") == 0 || strcmp(column, "step") == 0;
}

bool cst_probe_charts_make(cst_probe_charts *charts, const char *path, const char *name, const cst_run_view *view, char *message,
                           size_t message_size)
{
    *charts = (cst_probe_charts){0};
    cst_csv_file file;
    bool good = cst_csv_file_read(&file, path, message, message_size);
    if (good && (file.rows == 0 || column_index(&file, "time") < 0)) {
        snprintf(message, message_size, "%s: %s", path, file.rows == 0 ? "there are no rows yet" : "there is no column \"time\"");
        good = false;
    }
    if (good) {
        make_panels(charts, &file, view);
        for (int c = 0; c < file.columns && charts->panels < CST_PROBE_PANELS_MAX; c++)
            if (!listed(file.field[c]))
                add(new_panel(charts, file.field[c], file.field[c], view), &file, "time", file.field[c], file.field[c], 1, view);
    }
    if (good && column_index(&file, "x") >= 0 && column_index(&file, "y") >= 0) {
        char title[300];
        snprintf(title, sizeof title, "Path of %s", name);
        charts->path = cst_chart_new(&(cst_chart_definition){
            .title = title, .x.label = "x (m)", .y.label = "y (m)", .equal = true, .width = view->width, .height = view->height});
        add(charts->path, &file, "x", "y", name, 1, view);
    }
    cst_csv_file_free(&file);
    return good;
}

void cst_probe_charts_free(cst_probe_charts *charts)
{
    for (int i = 0; i < charts->panels; i++)
        cst_chart_free(charts->panel[i]);
    cst_chart_free(charts->path);
}
