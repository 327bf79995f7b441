/* A small line or scatter chart: linear or logarithmic axes, ticks, grid, legend; drawn on any canvas.
 *
 * Create a chart with cst_chart_new, add a series with cst_chart_series and its points with cst_chart_point. Write the chart
 * with cst_chart_write_svg and free it with cst_chart_free.
 *
 * Texts are copied. Points that are not finite, or not positive on a logarithmic axis, break the line and are not drawn. */
#ifndef CST_CHART_CHART_H
#define CST_CHART_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "chart/canvas.h"

typedef struct cst_chart cst_chart;

typedef struct cst_chart_axis {
    const char *label;
    bool logarithmic;
    bool percent; /* true: tick labels are percentages, for example 25 % at the value 0.25 */
    bool whole;   /* counts: no ticks between integers */
    /* true: the range of the axis is exactly that of the points, and is not rounded to ticks (for time axes) */
    bool tight;
    /* if low < high: fixed range of the axis, and points outside it are not shown; otherwise the range is fitted to the points */
    double low, high;
} cst_chart_axis;

typedef struct cst_chart_definition {
    const char *title;
    const char *subtitle; /* text below the title, for example the conditions of a measurement; or NULL */
    cst_chart_axis x, y;
    bool equal;        /* true: one unit has the same length along x and along y */
    int width, height; /* 0: 760 x 470 */
} cst_chart_definition;

typedef enum cst_marker {
    CST_MARKER_NONE = 0,
    CST_MARKER_CIRCLE,
    CST_MARKER_SQUARE,
    CST_MARKER_TRIANGLE,
    CST_MARKER_DIAMOND,
    CST_MARKER_CROSS
} cst_marker;

typedef struct cst_series_style {
    const char *name; /* "": not in the legend */
    cst_line line;
    cst_marker marker;
    bool step; /* true: the series is drawn as steps, where each value is constant until the next point */
    /* number of the series' colour in the palette (1, 2, ...), so that related series can share a colour; 0: the number of the
     * series, counted from 1 */
    int colour;
    bool thick; /* the one to look at */
} cst_series_style;

enum { CST_CHART_COLOURS = 10 };

/* The function cst_chart_new returns NULL only if memory ran out; all functions accept a NULL chart, so that the caller need not
 * test for it. */
cst_chart *cst_chart_new(const cst_chart_definition *definition);
void cst_chart_free(cst_chart *chart);
/* Returns the number of the new series, or -1 if memory ran out; cst_chart_point ignores points of the series -1. */
int cst_chart_series(cst_chart *chart, const cst_series_style *style);
void cst_chart_point(cst_chart *chart, int series, double x, double y);

/* Returns the size at which the chart is drawn: the size in its definition, or a larger height if the legend needs it. */
void cst_chart_size(const cst_chart *chart, double *width, double *height);

/* Returns false if memory ran out during this or an earlier call for the chart. */
bool cst_chart_draw(const cst_chart *chart, cst_canvas *canvas);

/* Writes the chart as SVG to a stream. Returns false if memory ran out; the caller must check the stream for write errors. */
bool cst_chart_write_svg(const cst_chart *chart, FILE *to);

/* Writes the data of the chart as CSV with the columns series, x and y. */
bool cst_chart_write_csv(const cst_chart *chart, FILE *to);

#endif
