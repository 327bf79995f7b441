#include "chart/chart_sheet.h"

#include <math.h>

#include "chart/chart_draw.h"

/* Sizes in typographic points. HEADING: height of a panel's heading. BELOW: height of the labels of the x axis. WIDTH: width of
 * the sheet. PANEL: default height of a plot if the sheet has several panels. ONLY_PANEL: default height of the plot if the
 * sheet has one panel. */
enum { HEADING = 34, BELOW = 56, WIDTH = 820, PANEL = 116, ONLY_PANEL = 330 };

static double plot_height(const cst_chart_sheet *sheet, const cst_chart *panel)
{
    double top = cst_chart_heading_height(sheet->subtitle) - 20;
    double given = (sheet->height - top - BELOW) / sheet->panels - HEADING;
    return fmax(sheet->height > 0 ? fmax(given, 40) : sheet->panels == 1 ? ONLY_PANEL : PANEL, cst_chart_legend_height(panel));
}

static bool complete(const cst_chart_sheet *sheet)
{
    for (int i = 0; i < sheet->panels; i++)
        if (!sheet->panel[i] || sheet->panel[i]->failed)
            return false;
    return sheet->panels > 0;
}

void cst_chart_sheet_size(const cst_chart_sheet *sheet, double *width, double *height)
{
    *width = sheet->width > 0 ? sheet->width : WIDTH;
    *height = cst_chart_heading_height(sheet->subtitle) - 20 + BELOW;
    for (int i = 0; complete(sheet) && i < sheet->panels; i++)
        *height += HEADING + plot_height(sheet, sheet->panel[i]);
}

/* Returns the x axis of the lowest chart, fitted to the points of all charts if there are several charts and the axis has no
 * fixed range. */
static cst_chart_axis shared_axis(const cst_chart_sheet *sheet)
{
    cst_chart_axis axis = sheet->panel[sheet->panels - 1]->definition.x;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < sheet->panels; i++) {
        double own_low, own_high;
        cst_chart_range(sheet->panel[i], false, &axis, &own_low, &own_high);
        low = fmin(low, own_low);
        high = fmax(high, own_high);
    }
    if (axis.low >= axis.high && low < high && sheet->panels > 1) {
        axis.low = low;
        axis.high = high;
    }
    return axis;
}

bool cst_chart_sheet_draw(const cst_chart_sheet *sheet, cst_canvas *canvas)
{
    if (!complete(sheet))
        return false;
    double width, height;
    cst_chart_sheet_size(sheet, &width, &height);
    const cst_chart_axis x_axis = shared_axis(sheet);
    double left = 0, right = 0;
    for (int i = 0; i < sheet->panels; i++) {
        left = fmax(left, cst_chart_left_room(sheet->panel[i], &x_axis, plot_height(sheet, sheet->panel[i])));
        right = fmax(right, cst_chart_right_room(sheet->panel[i]));
    }
    cst_chart_heading(canvas, sheet->title, sheet->subtitle, width);
    double top = cst_chart_heading_height(sheet->subtitle) - 20 + HEADING;
    for (int i = 0; i < sheet->panels; i++) {
        const cst_chart *panel = sheet->panel[i];
        cst_chart_frame frame = {.left = left,
                                 .right = width - right,
                                 .top = top,
                                 .bottom = top + plot_height(sheet, panel),
                                 .x_labelled = i == sheet->panels - 1};
        cst_chart_frame_fit(&frame, panel, &x_axis);
        cst_canvas_text(canvas, left, top - 10, panel->text[CST_CHART_TITLE],
                        &(cst_text_style){.size = 13, .bold = true, .colour = CST_OPAQUE(0x222222)});
        cst_chart_frame_draw(&frame, panel, canvas);
        top = frame.bottom + HEADING;
    }
    return true;
}
