/* One axis of a chart: its range, its ticks and their labels. */
#ifndef CST_CHART_CHART_SCALE_H
#define CST_CHART_CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "chart/chart.h"

enum { CST_TICKS_MAX = 128 };

typedef struct cst_chart_scale {
    bool logarithmic;
    bool percent;
    bool powers;      /* true: the tick labels of a logarithmic axis are written as powers of ten */
    double low, high; /* low < high */
    double from, to;  /* positions in the picture, in points, that correspond to the values `low` and `high` */
    int ticks;
    double tick[CST_TICKS_MAX];
    bool major[CST_TICKS_MAX]; /* labelled */
    double step;               /* linear: between ticks */
    int exponent; /* linear axis: labels are the values divided by 10^exponent, a factor that is written once beside the axis */
} cst_chart_scale;

/* The label of a tick: a number, and an exponent that is drawn raised after it. */
typedef struct cst_tick_label {
    char text[40];
    char raised[16];
} cst_tick_label;

/* Fits a scale to values from `low` to `high`; low > high means that there are no points. `most`: approximate largest number of
 * labelled ticks. */
cst_chart_scale cst_chart_scale_fit(const cst_chart_axis *axis, double low, double high, int most);

/* Returns true if the axis can show the value: it must be finite and, on a logarithmic axis, positive. */
bool cst_chart_scale_shows(const cst_chart_scale *scale, double value);

/* Returns true if the value is in the range of the axis from `low` to `high`, limits included. */
bool cst_chart_scale_inside(const cst_chart_scale *scale, double value);

/* Returns the position in the picture that belongs to a value on the axis. Values outside the range of the axis get a position
 * outside the plot, at most 20 lengths of the axis away. */
double cst_chart_scale_place(const cst_chart_scale *scale, double value);

cst_tick_label cst_chart_scale_label(const cst_chart_scale *scale, int tick);

/* Returns the label of the common factor of the axis, "×10" with an exponent, or an empty label if there is none. */
cst_tick_label cst_chart_scale_unit(const cst_chart_scale *scale);

/* Returns the width of the widest tick label. */
double cst_chart_scale_width(const cst_chart_scale *scale, double size);

#endif
