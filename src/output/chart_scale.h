/* One axis of a chart: its range, where its ticks are, what they say. */
#ifndef CST_OUTPUT_CHART_SCALE_H
#define CST_OUTPUT_CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#include "output/chart.h"

enum { CST_TICKS_MAX = 64 };

typedef struct cst_chart_scale {
    bool logarithmic;
    bool percent;
    double low, high; /* low < high */
    double from, to;  /* pixels of low and high */
    int ticks;
    double tick[CST_TICKS_MAX];
    bool major[CST_TICKS_MAX]; /* labelled */
    double step;               /* linear: between ticks */
} cst_chart_scale;

/* low > high says that there are no points. `most` is how many labelled ticks there is room for. */
cst_chart_scale cst_chart_scale_fit(const cst_chart_axis *axis, double low, double high, int most);

/* Whether the value can be shown at all. */
bool cst_chart_scale_shows(const cst_chart_scale *scale, double value);

/* Pixel of a value; values out of range are put at the border. */
double cst_chart_scale_place(const cst_chart_scale *scale, double value);

/* Decades are written 10 with a raised exponent: the text is SVG, not for escaping. */
void cst_chart_scale_label(const cst_chart_scale *scale, int tick, char *text, size_t size);

#endif
