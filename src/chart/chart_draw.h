/* Drawing a chart, or one panel of a sheet of them: its frame is laid out first, so that several can share one. */
#ifndef CST_CHART_CHART_DRAW_H
#define CST_CHART_CHART_DRAW_H

#include "chart/chart_data.h"
#include "chart/chart_scale.h"

/* Where the axes are, in points of the picture. */
typedef struct cst_chart_frame {
    double left, right, top, bottom;
    cst_chart_scale x, y;
    bool x_labelled; /* false: a panel that has another one below it */
} cst_chart_frame;

/* Room that labels need left of the axes and the legend right of them; the y scale follows from top and bottom alone. */
double cst_chart_left_room(const cst_chart *chart, const cst_chart_axis *x_axis, double height);
double cst_chart_right_room(const cst_chart *chart);
double cst_chart_legend_height(const cst_chart *chart);

/* Fits the scales to left .. bottom. x_axis: the chart's own, or the one it shares. */
void cst_chart_frame_fit(cst_chart_frame *frame, const cst_chart *chart, const cst_chart_axis *x_axis);

/* Axes, series, legend; no title. */
void cst_chart_frame_draw(const cst_chart_frame *frame, const cst_chart *chart, cst_canvas *canvas);

/* Title in bold and what stands under it, made smaller where they would be cut off. */
void cst_chart_heading(cst_canvas *canvas, const char *title, const char *subtitle, double width);

/* Where the drawing can begin below a heading. */
double cst_chart_heading_height(const char *subtitle);

#endif
