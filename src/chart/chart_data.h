/* The contents of a chart, for the functions that draw it. */
#ifndef CST_CHART_CHART_DATA_H
#define CST_CHART_CHART_DATA_H

#include "chart/chart.h"

typedef struct cst_chart_xy {
    double x, y;
} cst_chart_xy;

typedef struct cst_chart_line {
    cst_series_style style;
    char *name;
    cst_chart_xy *points;
    int count, room;
} cst_chart_line;

enum { CST_CHART_TITLE = 0, CST_CHART_SUBTITLE, CST_CHART_X_LABEL, CST_CHART_Y_LABEL, CST_CHART_TEXTS };

struct cst_chart {
    cst_chart_definition definition;
    char *text[CST_CHART_TEXTS]; /* copies, never NULL unless failed */
    cst_chart_line *list;
    int count, room;
    bool failed;
};

/* Computes the smallest and the largest value of one coordinate over all points at which its axis can show this coordinate;
 * without such points, sets low > high. For the coordinate y, points outside a fixed range of the x axis are not used. */
void cst_chart_range(const cst_chart *chart, bool of_y, const cst_chart_axis *x_axis, double *low, double *high);

#endif
