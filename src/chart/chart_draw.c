#include "chart/chart_draw.h"

#include <math.h>

enum { TEXT = 12, LABEL = 13, LEGEND_LINE = 19, X_ROOM = 56 };

static const cst_colour dark = CST_OPAQUE(0x222222);

/* Six colours of the palette of Okabe and Ito, which colour-blind readers can distinguish, and four more colours that differ
 * clearly from them. */
static const cst_colour palette[CST_CHART_COLOURS] = {
    CST_OPAQUE(0x0072b2), CST_OPAQUE(0xd55e00), CST_OPAQUE(0x009e73), CST_OPAQUE(0xcc79a7), CST_OPAQUE(0xe69f00),
    CST_OPAQUE(0x56b4e9), CST_OPAQUE(0x8c564b), CST_OPAQUE(0x6a3d9a), CST_OPAQUE(0x7f7f7f), CST_OPAQUE(0x111111)};

static cst_paint stroke_of(const cst_chart_line *which)
{
    return (cst_paint){.stroke = palette[(which->style.colour - 1) % CST_CHART_COLOURS],
                       .width = which->style.thick ? 2.8 : 1.6,
                       .line = which->style.line};
}

static void draw_marker(cst_canvas *canvas, const cst_chart_line *which, double x, double y)
{
    cst_colour colour = palette[(which->style.colour - 1) % CST_CHART_COLOURS];
    const cst_paint filled = {.fill = colour};
    switch (which->style.marker) {
    case CST_MARKER_NONE:
        break;
    case CST_MARKER_CIRCLE:
        cst_canvas_circle(canvas, x, y, 3, &filled);
        break;
    case CST_MARKER_SQUARE:
        cst_canvas_rectangle(canvas, x - 2.8, y - 2.8, 5.6, 5.6, &filled);
        break;
    case CST_MARKER_TRIANGLE:
        cst_canvas_polyline(canvas, (const double[]){x, y - 4, x + 3.6, y + 2.2, x - 3.6, y + 2.2}, 3, true, &filled);
        break;
    case CST_MARKER_DIAMOND:
        cst_canvas_polyline(canvas, (const double[]){x, y - 3.8, x + 3.8, y, x, y + 3.8, x - 3.8, y}, 4, true, &filled);
        break;
    case CST_MARKER_CROSS:
        cst_canvas_move(canvas, x - 2.8, y - 2.8);
        cst_canvas_line(canvas, x + 2.8, y + 2.8);
        cst_canvas_move(canvas, x + 2.8, y - 2.8);
        cst_canvas_line(canvas, x - 2.8, y + 2.8);
        cst_canvas_paint(canvas, &(cst_paint){.stroke = colour, .width = 1.6});
        break;
    }
}

/* State of the line of a data series while it is drawn. Of all data points in a vertical strip that is half a typographic point
 * wide, only the first, the lowest, the highest and the last are drawn: the picture looks the same, and its file stays small. A
 * chart with the property `equal` draws all points. */
typedef struct pen {
    cst_canvas *canvas;
    bool step;
    bool open;   /* true if the next point is connected to the previous point by a line */
    int waiting; /* points in this column */
    double column, first, low, high, last;
    double y; /* current position of the line */
} pen;

static void pen_go(pen *at, double x, double y)
{
    if (at->open && at->step && at->y != y)
        cst_canvas_line(at->canvas, x, at->y);
    if (at->open)
        cst_canvas_line(at->canvas, x, y);
    else
        cst_canvas_move(at->canvas, x, y);
    at->open = true;
    at->y = y;
}

static void pen_flush(pen *at)
{
    if (at->waiting > 0)
        pen_go(at, at->column, at->first);
    if (at->waiting > 2 && at->low < at->high) {
        bool rising = at->last > at->first;
        pen_go(at, at->column, rising ? at->low : at->high);
        pen_go(at, at->column, rising ? at->high : at->low);
    }
    if (at->waiting > 0 && at->last != at->y)
        pen_go(at, at->column, at->last);
    at->waiting = 0;
}

static void pen_point(pen *at, double x, double y)
{
    if (at->waiting > 0 && fabs(x - at->column) > 0.5)
        pen_flush(at);
    if (at->waiting == 0) {
        at->column = x;
        at->first = at->low = at->high = y;
    }
    at->low = fmin(at->low, y);
    at->high = fmax(at->high, y);
    at->last = y;
    at->waiting++;
}

static void pen_lift(pen *at)
{
    pen_flush(at);
    at->open = false;
}

static void draw_line(cst_canvas *canvas, const cst_chart_line *which, const cst_chart_frame *frame, bool thin_out)
{
    const cst_paint paint = stroke_of(which);
    pen line = {.canvas = canvas, .step = which->style.step};
    for (int i = 0; i < which->count; i++) {
        const cst_chart_xy *at = &which->points[i];
        if (!cst_chart_scale_shows(&frame->x, at->x) || !cst_chart_scale_shows(&frame->y, at->y)) {
            pen_lift(&line);
            continue;
        }
        double x = cst_chart_scale_place(&frame->x, at->x), y = cst_chart_scale_place(&frame->y, at->y);
        if (thin_out)
            pen_point(&line, x, y);
        else
            pen_go(&line, x, y);
    }
    pen_lift(&line);
    cst_canvas_paint(canvas, &paint);
}

/* Draws a marker completely if its point is inside or on the border of the plot, and not at all if its point is outside. */
static void draw_markers(cst_canvas *canvas, const cst_chart_line *which, const cst_chart_frame *frame)
{
    for (int i = 0; which->style.marker != CST_MARKER_NONE && i < which->count; i++) {
        const cst_chart_xy *at = &which->points[i];
        if (cst_chart_scale_inside(&frame->x, at->x) && cst_chart_scale_inside(&frame->y, at->y))
            draw_marker(canvas, which, cst_chart_scale_place(&frame->x, at->x), cst_chart_scale_place(&frame->y, at->y));
    }
}

static void put_label(cst_canvas *canvas, double x, double y, const cst_tick_label *label, cst_anchor anchor)
{
    cst_canvas_text(canvas, x, y, label->text,
                    &(cst_text_style){.size = TEXT, .anchor = anchor, .colour = CST_OPAQUE(0x444444), .raised = label->raised});
}

static void draw_grid(cst_canvas *canvas, const cst_chart_frame *frame)
{
    for (int major = 0; major < 2; major++) {
        const cst_paint paint = {.stroke = major ? CST_OPAQUE(0xe4e4e4) : CST_OPAQUE(0xf3f3f3), .width = 1};
        for (int i = 0; i < frame->x.ticks; i++) {
            double at = cst_chart_scale_place(&frame->x, frame->x.tick[i]);
            if (frame->x.major[i] == (major == 1))
                cst_canvas_segment(canvas, at, frame->bottom, at, frame->top, &paint);
        }
        for (int i = 0; i < frame->y.ticks; i++) {
            double at = cst_chart_scale_place(&frame->y, frame->y.tick[i]);
            if (frame->y.major[i] == (major == 1))
                cst_canvas_segment(canvas, frame->left, at, frame->right, at, &paint);
        }
    }
}

static void draw_axes(const cst_chart *chart, cst_canvas *canvas, const cst_chart_frame *frame)
{
    draw_grid(canvas, frame);
    cst_canvas_polyline(canvas,
                        (const double[]){frame->left, frame->top, frame->left, frame->bottom, frame->right, frame->bottom}, 3,
                        false, &(cst_paint){.stroke = CST_OPAQUE(0x555555), .width = 1});
    for (int i = 0; frame->x_labelled && i < frame->x.ticks; i++) {
        if (!frame->x.major[i])
            continue;
        cst_tick_label label = cst_chart_scale_label(&frame->x, i);
        put_label(canvas, cst_chart_scale_place(&frame->x, frame->x.tick[i]), frame->bottom + 18, &label, CST_ANCHOR_MIDDLE);
    }
    for (int i = 0; i < frame->y.ticks; i++) {
        if (!frame->y.major[i])
            continue;
        cst_tick_label label = cst_chart_scale_label(&frame->y, i);
        put_label(canvas, frame->left - 7, cst_chart_scale_place(&frame->y, frame->y.tick[i]) + 4, &label, CST_ANCHOR_END);
    }
    cst_tick_label unit = cst_chart_scale_unit(&frame->y);
    put_label(canvas, frame->left - 7, frame->top - 12, &unit, CST_ANCHOR_END);
    if (frame->x_labelled) {
        unit = cst_chart_scale_unit(&frame->x);
        put_label(canvas, frame->right, frame->bottom + 40, &unit, CST_ANCHOR_END);
        cst_canvas_text(canvas, (frame->left + frame->right) / 2, frame->bottom + 40, chart->text[CST_CHART_X_LABEL],
                        &(cst_text_style){.size = LABEL, .anchor = CST_ANCHOR_MIDDLE, .colour = dark});
    }
    double height = frame->bottom - frame->top;
    double needed = cst_text_width(chart->text[CST_CHART_Y_LABEL], LABEL, false);
    cst_canvas_text(canvas, 18, (frame->top + frame->bottom) / 2, chart->text[CST_CHART_Y_LABEL],
                    &(cst_text_style){.size = fmin(LABEL, fmax(9, LABEL * (height + 20) / fmax(needed, 1))),
                                      .anchor = CST_ANCHOR_MIDDLE,
                                      .angle = 90,
                                      .colour = dark});
}

static void draw_legend(const cst_chart *chart, cst_canvas *canvas, double left, double top)
{
    double y = top;
    for (int i = 0; i < chart->count; i++) {
        const cst_chart_line *which = &chart->list[i];
        if (!*which->name)
            continue;
        if (which->style.line != CST_LINE_NONE) {
            const cst_paint paint = stroke_of(which);
            cst_canvas_segment(canvas, left, y, left + 26, y, &paint);
        }
        draw_marker(canvas, which, left + 13, y);
        cst_canvas_text(canvas, left + 33, y + 4, which->name,
                        &(cst_text_style){.size = TEXT, .bold = which->style.thick, .colour = dark});
        y += LEGEND_LINE;
    }
}

/* Returns the number of lines of the legend; a chart with a single series has no legend. */
static int legend_lines(const cst_chart *chart)
{
    int lines = 0;
    for (int i = 0; i < chart->count; i++)
        lines += *chart->list[i].name != 0;
    return chart->count > 1 ? lines : 0;
}

double cst_chart_legend_height(const cst_chart *chart)
{
    return LEGEND_LINE * legend_lines(chart);
}

double cst_chart_right_room(const cst_chart *chart)
{
    double longest = 0;
    for (int i = 0; i < chart->count; i++)
        longest = fmax(longest, cst_text_width(chart->list[i].name, TEXT, chart->list[i].style.thick));
    return legend_lines(chart) > 0 ? 18 + 33 + longest + 12 : 24; /* the legend is beside the plot, never on it */
}

static cst_chart_scale fit_y(const cst_chart *chart, const cst_chart_axis *x_axis, double height)
{
    double low, high;
    cst_chart_range(chart, true, x_axis, &low, &high);
    return cst_chart_scale_fit(&chart->definition.y, low, high, (int)fmax(2, fmin(height / 38, 8)));
}

double cst_chart_left_room(const cst_chart *chart, const cst_chart_axis *x_axis, double height)
{
    cst_chart_scale y = fit_y(chart, x_axis, height);
    return fmax(74, 26 + cst_chart_scale_width(&y, TEXT) + 10);
}

/* Makes one unit equally long on both axes: on the axis where one unit is longer, the range of values is widened. */
static void make_equal(cst_chart_frame *frame, const cst_chart *chart)
{
    double along = (frame->right - frame->left) / (frame->x.high - frame->x.low);
    double up = (frame->bottom - frame->top) / (frame->y.high - frame->y.low);
    cst_chart_scale *scale = along > up ? &frame->x : &frame->y;
    double grow = 0.5 * (scale->high - scale->low) * (fmax(along, up) / fmin(along, up) - 1);
    cst_chart_axis axis = along > up ? chart->definition.x : chart->definition.y;
    axis.low = scale->low - grow;
    axis.high = scale->high + grow;
    int most = along > up ? (int)((frame->right - frame->left) / 75) : (int)((frame->bottom - frame->top) / 42);
    *scale = cst_chart_scale_fit(&axis, axis.low, axis.high, most < 2 ? 2 : most);
}

void cst_chart_frame_fit(cst_chart_frame *frame, const cst_chart *chart, const cst_chart_axis *x_axis)
{
    double low, high;
    cst_chart_range(chart, false, x_axis, &low, &high);
    frame->x = cst_chart_scale_fit(x_axis, low, high, (int)fmax(2, fmin((frame->right - frame->left) / 72, 10)));
    frame->y = fit_y(chart, x_axis, frame->bottom - frame->top);
    if (chart->definition.equal)
        make_equal(frame, chart);
    frame->x.from = frame->left;
    frame->x.to = frame->right;
    frame->y.from = frame->bottom;
    frame->y.to = frame->top;
}

void cst_chart_frame_draw(const cst_chart_frame *frame, const cst_chart *chart, cst_canvas *canvas)
{
    draw_axes(chart, canvas, frame);
    /* The clipping rectangle extends 2 points above and below the plot, so that a line along the border is drawn with its full
     * width. */
    const cst_canvas_group inside = {.clipped = true,
                                     .left = frame->left,
                                     .top = frame->top - 2,
                                     .width = frame->right - frame->left,
                                     .height = frame->bottom - frame->top + 4};
    for (int pass = 0; pass < 2; pass++) { /* highlighted series are drawn last, on top */
        for (int i = 0; i < chart->count; i++) {
            const cst_chart_line *which = &chart->list[i];
            if (which->style.thick != (pass == 1))
                continue;
            if (which->style.line != CST_LINE_NONE) {
                cst_canvas_begin_group(canvas, &inside);
                draw_line(canvas, which, frame, !chart->definition.equal);
                cst_canvas_end_group(canvas);
            }
            draw_markers(canvas, which, frame);
        }
    }
    if (legend_lines(chart) > 0)
        draw_legend(chart, canvas, frame->right + 18, frame->top + 8);
}

double cst_chart_heading_height(const char *subtitle)
{
    return subtitle && *subtitle ? 66 : 46;
}

void cst_chart_heading(cst_canvas *canvas, const char *title, const char *subtitle, double width)
{
    double room = width - 48;
    double needed = fmax(1, cst_text_width(title, 16, true));
    cst_canvas_text(canvas, 24, 28, title,
                    &(cst_text_style){.size = 16 * fmin(1, room / needed), .bold = true, .colour = CST_OPAQUE(0x111111)});
    if (!subtitle || !*subtitle)
        return;
    needed = cst_text_width(subtitle, TEXT, false);
    cst_canvas_text(canvas, 24, 47, subtitle,
                    &(cst_text_style){.size = TEXT * fmin(1, room / needed), .colour = CST_OPAQUE(0x555555)});
}

void cst_chart_size(const cst_chart *chart, double *width, double *height)
{
    *width = chart ? chart->definition.width : 0;
    *height = chart ? chart->definition.height : 0;
    if (chart && !chart->failed)
        *height = fmax(*height, cst_chart_heading_height(chart->text[CST_CHART_SUBTITLE]) + cst_chart_legend_height(chart) + 60);
}

bool cst_chart_draw(const cst_chart *chart, cst_canvas *canvas)
{
    if (!chart || chart->failed)
        return false;
    double width, height;
    cst_chart_size(chart, &width, &height);
    const cst_chart_axis *x_axis = &chart->definition.x;
    cst_chart_frame frame = {
        .top = cst_chart_heading_height(chart->text[CST_CHART_SUBTITLE]), .bottom = height - X_ROOM, .x_labelled = true};
    frame.left = cst_chart_left_room(chart, x_axis, frame.bottom - frame.top);
    frame.right = width - cst_chart_right_room(chart);
    cst_chart_frame_fit(&frame, chart, x_axis);
    cst_chart_heading(canvas, chart->text[CST_CHART_TITLE], chart->text[CST_CHART_SUBTITLE], width);
    cst_chart_frame_draw(&frame, chart, canvas);
    return true;
}

bool cst_chart_write_svg(const cst_chart *chart, FILE *to)
{
    if (!chart || chart->failed)
        return false;
    double width, height;
    cst_chart_size(chart, &width, &height);
    cst_canvas *canvas = cst_canvas_svg(width, height, to);
    bool drawn = canvas && cst_chart_draw(chart, canvas);
    char message[64];
    return cst_canvas_end(canvas, message, sizeof message) && drawn;
}
