/* Several charts in one picture, one above the other, with a common x axis, so that simultaneous events have the same horizontal
 * position. */
#ifndef CST_CHART_CHART_SHEET_H
#define CST_CHART_CHART_SHEET_H

#include "chart/chart.h"

typedef struct cst_chart_sheet {
    const char *title, *subtitle; /* subtitle: or NULL */
    /* array (panels): charts in the order from the top; their titles become headings, and only the lowest chart shows the
     * label of its x axis */
    const cst_chart *const *panel;
    int panels;
    /* size in points; 0: default, 820 wide, and 150 high for each panel (364 for a single panel) plus the title and the labels
     * of the x axis, or higher if the legends need it */
    double width, height;
} cst_chart_sheet;

void cst_chart_sheet_size(const cst_chart_sheet *sheet, double *width, double *height);

/* Returns false if memory ran out for one of the charts. */
bool cst_chart_sheet_draw(const cst_chart_sheet *sheet, cst_canvas *canvas);

#endif
