#include "chart/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart_data.h"
#include "write/csv.h"

static char *copy_text(cst_chart *chart, const char *text)
{
    char *copy = strdup(text ? text : "");
    chart->failed |= !copy;
    return copy;
}

cst_chart *cst_chart_new(const cst_chart_definition *definition)
{
    cst_chart *chart = calloc(1, sizeof *chart);
    if (!chart)
        return NULL;
    chart->definition = *definition;
    chart->text[CST_CHART_TITLE] = copy_text(chart, definition->title);
    chart->text[CST_CHART_SUBTITLE] = copy_text(chart, definition->subtitle);
    chart->text[CST_CHART_X_LABEL] = copy_text(chart, definition->x.label);
    chart->text[CST_CHART_Y_LABEL] = copy_text(chart, definition->y.label);
    if (chart->definition.width <= 0)
        chart->definition.width = 760;
    if (chart->definition.height <= 0)
        chart->definition.height = 470;
    return chart;
}

void cst_chart_free(cst_chart *chart)
{
    if (!chart)
        return;
    for (int i = 0; i < CST_CHART_TEXTS; i++)
        free(chart->text[i]);
    for (int i = 0; i < chart->count; i++) {
        free(chart->list[i].name);
        free(chart->list[i].points);
    }
    free(chart->list);
    free(chart);
}

int cst_chart_series(cst_chart *chart, const cst_series_style *style)
{
    if (!chart || chart->failed)
        return -1;
    if (chart->count == chart->room) {
        int room = chart->room ? 2 * chart->room : 8;
        cst_chart_line *grown = realloc(chart->list, (size_t)room * sizeof *grown);
        if (!grown) {
            chart->failed = true;
            return -1;
        }
        chart->list = grown;
        chart->room = room;
    }
    char *name = copy_text(chart, style->name);
    if (!name)
        return -1;
    chart->list[chart->count] = (cst_chart_line){.style = *style, .name = name};
    if (style->colour <= 0)
        chart->list[chart->count].style.colour = chart->count + 1;
    return chart->count++;
}

void cst_chart_point(cst_chart *chart, int index, double x, double y)
{
    if (!chart || index < 0 || index >= chart->count)
        return;
    cst_chart_line *to = &chart->list[index];
    if (to->count == to->room) {
        int room = to->room ? 2 * to->room : 64;
        cst_chart_xy *grown = realloc(to->points, (size_t)room * sizeof *grown);
        if (!grown) {
            chart->failed = true;
            return;
        }
        to->points = grown;
        to->room = room;
    }
    to->points[to->count++] = (cst_chart_xy){x, y};
}

void cst_chart_range(const cst_chart *chart, bool of_y, const cst_chart_axis *x_axis, double *low, double *high)
{
    bool positive = of_y ? chart->definition.y.logarithmic : chart->definition.x.logarithmic;
    bool fixed = x_axis->low < x_axis->high;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < chart->count; i++) {
        for (int k = 0; k < chart->list[i].count; k++) {
            cst_chart_xy at = chart->list[i].points[k];
            double value = of_y ? at.y : at.x;
            if (!isfinite(value) || (positive && value <= 0) || (of_y && fixed && (at.x < x_axis->low || at.x > x_axis->high)))
                continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
}

bool cst_chart_write_csv(const cst_chart *chart, FILE *to)
{
    if (!chart || chart->failed)
        return false;
    cst_csv csv = cst_csv_begin(to);
    cst_csv_header(&csv, (const char *const[]){"series", "x", "y", NULL});
    for (int i = 0; i < chart->count; i++) {
        for (int k = 0; k < chart->list[i].count; k++) {
            cst_csv_text(&csv, chart->list[i].name);
            cst_csv_real(&csv, chart->list[i].points[k].x);
            cst_csv_real(&csv, chart->list[i].points[k].y);
            cst_csv_row_end(&csv);
        }
    }
    return true;
}
