/* Draws a chart, or one panel of a picture with several charts. The position of the axes is computed before anything is drawn, so
 * that several charts can have the same position. */
#ifndef CST_CHART_CHART_DRAW_H
#define CST_CHART_CHART_DRAW_H

#include "chart/chart_data.h"
#include "chart/chart_scale.h"

/* Position of the axes in the picture, in typographic points. */
typedef struct cst_chart_frame {
    double left, right, top, bottom;
    cst_chart_scale x, y;
    bool x_labelled; /* true if the x axis has tick labels; false for a panel that has another panel below it */
} cst_chart_frame;

/* Space around the axes, in points: cst_chart_left_room returns the width of the labels on the left, cst_chart_right_room the
 * width of the legend on the right, and cst_chart_legend_height the height of the legend. `height`: height of the y axis in
 * points. */
double cst_chart_left_room(const cst_chart *chart, const cst_chart_axis *x_axis, double height);
double cst_chart_right_room(const cst_chart *chart);
double cst_chart_legend_height(const cst_chart *chart);

/* Computes the scales of the x and y axes from the data of the chart and from the position of the axes in the picture (left,
 * right, top and bottom of `frame`). The argument `x_axis` is the chart's own x axis, or an axis that several charts share. */
void cst_chart_frame_fit(cst_chart_frame *frame, const cst_chart *chart, const cst_chart_axis *x_axis);

/* Draws the axes, series and legend of a chart, but no title. */
void cst_chart_frame_draw(const cst_chart_frame *frame, const cst_chart *chart, cst_canvas *canvas);

/* Draws the title in bold and the subtitle below it; if they are too long for the picture, they are drawn in smaller type. */
void cst_chart_heading(cst_canvas *canvas, const char *title, const char *subtitle, double width);

/* Returns the vertical position below the heading at which the drawing can begin. */
double cst_chart_heading_height(const char *subtitle);

#endif
