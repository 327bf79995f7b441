#include "output/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output/chart_scale.h"
#include "output/csv.h"
#include "output/utf8.h"

typedef struct point {
    double x, y;
} point;

typedef struct series {
    cst_series_style style;
    char *name;
    point *points;
    int count, room;
} series;

struct cst_chart {
    cst_chart_definition definition;
    char *text[4]; /* copies of title, subtitle, axis labels */
    series *list;
    int count, room;
    bool failed;
};

/* Okabe and Ito's palette, which colour-blind readers can tell apart, and three more that keep their distance from it. */
static const char *const palette[CST_CHART_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                       "#56b4e9", "#8c564b", "#6a3d9a", "#7f7f7f", "#111111"};

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
    chart->text[0] = copy_text(chart, definition->title);
    chart->text[1] = copy_text(chart, definition->subtitle);
    chart->text[2] = copy_text(chart, definition->x.label);
    chart->text[3] = copy_text(chart, definition->y.label);
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
    for (int i = 0; i < 4; i++)
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
        series *grown = realloc(chart->list, (size_t)room * sizeof *grown);
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
    chart->list[chart->count] = (series){.style = *style, .name = name};
    if (style->colour <= 0)
        chart->list[chart->count].style.colour = chart->count + 1;
    return chart->count++;
}

void cst_chart_point(cst_chart *chart, int index, double x, double y)
{
    if (!chart || index < 0 || index >= chart->count)
        return;
    series *to = &chart->list[index];
    if (to->count == to->room) {
        int room = to->room ? 2 * to->room : 64;
        point *grown = realloc(to->points, (size_t)room * sizeof *grown);
        if (!grown) {
            chart->failed = true;
            return;
        }
        to->points = grown;
        to->room = room;
    }
    to->points[to->count++] = (point){x, y};
}

/* ------------------------------------------------------------------------------------------------------------------ drawing */

static void escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            fputc(*text, to);
        }
    }
}

static const char *colour_of(const series *which)
{
    return palette[(which->style.colour - 1) % CST_CHART_COLOURS];
}

static void draw_marker(FILE *to, const series *which, double x, double y)
{
    const char *colour = colour_of(which);
    switch (which->style.marker) {
    case CST_MARKER_NONE:
        break;
    case CST_MARKER_CIRCLE:
        fprintf(to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", x, y, colour);
        break;
    case CST_MARKER_SQUARE:
        fprintf(to, "<rect x=\"%.2f\" y=\"%.2f\" width=\"5.6\" height=\"5.6\" fill=\"%s\"/>\n", x - 2.8, y - 2.8, colour);
        break;
    case CST_MARKER_TRIANGLE:
        fprintf(to, "<path d=\"M%.2f %.2fl3.6 6.2h-7.2z\" fill=\"%s\"/>\n", x, y - 4, colour);
        break;
    case CST_MARKER_DIAMOND:
        fprintf(to, "<path d=\"M%.2f %.2fl3.8 3.8l-3.8 3.8l-3.8 -3.8z\" fill=\"%s\"/>\n", x, y - 3.8, colour);
        break;
    case CST_MARKER_CROSS:
        fprintf(to, "<path d=\"M%.2f %.2fl5.6 5.6m0 -5.6l-5.6 5.6\" stroke=\"%s\" stroke-width=\"1.6\" fill=\"none\"/>\n",
                x - 2.8, y - 2.8, colour);
        break;
    }
}

static void stroke(FILE *to, const series *which)
{
    static const char *const dash[] = {"", "", " stroke-dasharray=\"6 4\"", " stroke-dasharray=\"1.5 3.5\""};
    fprintf(to, " fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
            colour_of(which), which->style.thick ? "2.8" : "1.6", dash[which->style.line]);
}

static void draw_series(FILE *to, const series *which, const cst_chart_scale *x, const cst_chart_scale *y)
{
    if (which->style.line != CST_LINE_NONE) {
        bool open = false;
        fputs("<path d=\"", to);
        for (int i = 0; i < which->count; i++) {
            const point *at = &which->points[i];
            if (!cst_chart_scale_shows(x, at->x) || !cst_chart_scale_shows(y, at->y)) {
                open = false;
                continue;
            }
            double px = cst_chart_scale_place(x, at->x), py = cst_chart_scale_place(y, at->y);
            if (open && which->style.step)
                fprintf(to, "H%.2f", px);
            fprintf(to, "%c%.2f %.2f", open ? 'L' : 'M', px, py);
            open = true;
        }
        fputc('"', to);
        stroke(to, which);
    }
    for (int i = 0; which->style.marker != CST_MARKER_NONE && i < which->count; i++) {
        const point *at = &which->points[i];
        if (cst_chart_scale_shows(x, at->x) && cst_chart_scale_shows(y, at->y))
            draw_marker(to, which, cst_chart_scale_place(x, at->x), cst_chart_scale_place(y, at->y));
    }
}

static void draw_axes(const cst_chart *chart, FILE *to, const cst_chart_scale *x, const cst_chart_scale *y)
{
    char label[64];
    fputs("<g stroke=\"#e4e4e4\" stroke-width=\"1\">\n", to);
    for (int i = 0; i < x->ticks; i++) {
        double at = cst_chart_scale_place(x, x->tick[i]);
        fprintf(to, "<path d=\"M%.2f %.2fV%.2f\"%s/>\n", at, y->from, y->to, x->major[i] ? "" : " stroke=\"#f3f3f3\"");
    }
    for (int i = 0; i < y->ticks; i++) {
        double at = cst_chart_scale_place(y, y->tick[i]);
        fprintf(to, "<path d=\"M%.2f %.2fH%.2f\"%s/>\n", x->from, at, x->to, y->major[i] ? "" : " stroke=\"#f3f3f3\"");
    }
    fprintf(to, "</g>\n<path d=\"M%.2f %.2fV%.2fH%.2f\" fill=\"none\" stroke=\"#555\"/>\n<g fill=\"#444\" font-size=\"12\">\n",
            x->from, y->to, y->from, x->to);
    for (int i = 0; i < x->ticks; i++) {
        if (!x->major[i])
            continue;
        cst_chart_scale_label(x, i, label, sizeof label);
        fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%s</text>\n", cst_chart_scale_place(x, x->tick[i]),
                y->from + 18, label);
    }
    for (int i = 0; i < y->ticks; i++) {
        if (!y->major[i])
            continue;
        cst_chart_scale_label(y, i, label, sizeof label);
        fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", x->from - 7,
                cst_chart_scale_place(y, y->tick[i]) + 4, label);
    }
    fprintf(to, "</g>\n<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"13\" fill=\"#222\">", (x->from + x->to) / 2,
            y->from + 40);
    escaped(to, chart->text[2]);
    fprintf(to,
            "</text>\n<text transform=\"translate(18 %.2f) rotate(-90)\" text-anchor=\"middle\" font-size=\"13\" fill=\"#222\">",
            (y->from + y->to) / 2);
    escaped(to, chart->text[3]);
    fputs("</text>\n", to);
}

static void draw_legend(const cst_chart *chart, FILE *to, double left, double top)
{
    for (int i = 0; i < chart->count; i++) {
        const series *which = &chart->list[i];
        double y = top + 19 * i;
        if (which->style.line != CST_LINE_NONE) {
            fprintf(to, "<path d=\"M%.2f %.2fh26\"", left, y);
            stroke(to, which);
        }
        draw_marker(to, which, left + 13, y);
        fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"12\" fill=\"#222\"%s>", left + 33, y + 4,
                which->style.thick ? " font-weight=\"bold\"" : "");
        escaped(to, which->name);
        fputs("</text>\n", to);
    }
}

/* Range of one coordinate over all points that the axis can show. */
static void range(const cst_chart *chart, bool of_y, double *low, double *high)
{
    bool positive = of_y ? chart->definition.y.logarithmic : chart->definition.x.logarithmic;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < chart->count; i++) {
        for (int k = 0; k < chart->list[i].count; k++) {
            double value = of_y ? chart->list[i].points[k].y : chart->list[i].points[k].x;
            if (!isfinite(value) || (positive && value <= 0))
                continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
}

bool cst_chart_write_svg(const cst_chart *chart, FILE *to)
{
    if (!chart || chart->failed)
        return false;
    int longest = 0;
    for (int i = 0; i < chart->count; i++) {
        int own = cst_utf8_width(chart->list[i].name);
        longest = own > longest ? own : longest;
    }
    int width = chart->definition.width, height = chart->definition.height;
    bool legend = chart->count > 1;
    double right = legend ? 60 + 6.9 * longest : 24; /* the legend stands beside the plot, never on it */
    double top = *chart->text[1] ? 66 : 46;
    int needed = (int)(top + 19.0 * chart->count + 60);
    if (legend && height < needed)
        height = needed;

    double low, high;
    range(chart, false, &low, &high);
    cst_chart_scale x = cst_chart_scale_fit(&chart->definition.x, low, high, 8);
    range(chart, true, &low, &high);
    cst_chart_scale y = cst_chart_scale_fit(&chart->definition.y, low, high, 7);
    x.from = 74;
    x.to = width - right;
    y.from = height - 56;
    y.to = top;

    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n<text x=\"24\" y=\"28\" font-size=\"16\" font-weight=\"bold\" "
            "fill=\"#111\">",
            width, height, width, height, width, height);
    escaped(to, chart->text[0]);
    fputs("</text>\n", to);
    if (*chart->text[1]) {
        fputs("<text x=\"24\" y=\"47\" font-size=\"12\" fill=\"#555\">", to);
        escaped(to, chart->text[1]);
        fputs("</text>\n", to);
    }
    draw_axes(chart, to, &x, &y);
    for (int pass = 0; pass < 2; pass++) /* the one to look at lies on top */
        for (int i = 0; i < chart->count; i++)
            if (chart->list[i].style.thick == (pass == 1))
                draw_series(to, &chart->list[i], &x, &y);
    if (legend)
        draw_legend(chart, to, x.to + 18, top + 8);
    fputs("</svg>\n", to);
    return true;
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
