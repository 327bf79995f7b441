#include "render/lettering.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/grid.h"

#define MARGIN 16.0 /* distance of the lettering from the edges of the picture */
#define PAD 9.0     /* distance of the legend's text from the edges of its background */
#define SMALL 12.0  /* letters */
#define LINE 19.0   /* distance from line to line */
#define RAMP 150.0  /* length of a scale of colours */
#define CARD_ALPHA 0xb8000000u

static cst_text_style style(double size, cst_rgb colour, cst_anchor anchor, bool bold)
{
    return (cst_text_style){.size = size, .anchor = anchor, .bold = bold, .colour = cst_rgb_packed(colour)};
}

static void card(cst_canvas *canvas, double x, double y, double width, double height, const cst_theme *theme)
{
    cst_colour paper = (cst_rgb_packed(theme->paper) & 0xffffffu) | CARD_ALPHA;
    cst_canvas_rectangle(canvas, x, y, width, height, &(cst_paint){.fill = paper});
}

/* ------------------------------------------------------------------------------------------------------------------- texts */

void cst_time_text(double time, double interval, char *text, size_t size)
{
    int digits = (int)ceil(-log10(fmax(interval, 1e-9)) + 0.3);
    digits = digits < 2 ? 2 : digits > 7 ? 7 : digits;
    snprintf(text, size, "t = %.*f s", digits, fabs(time) < 0.5 * pow(10.0, -digits) ? 0.0 : time);
}

void cst_length_text(double metres, char *text, size_t size)
{
    static const struct {
        double from, unit;
        const char *name;
    } units[] = {{1e3, 1e3, "km"}, {1.0, 1.0, "m"}, {1e-2, 1e-2, "cm"}, {1e-3, 1e-3, "mm"}, {0.0, 1e-6, "\xc2\xb5m"}};
    int k = 0;
    while (metres * (1.0 + 1e-9) < units[k].from)
        k++;
    snprintf(text, size, "%.3g %s", metres / units[k].unit, units[k].name);
}

/* Formats a value: three digits, powers of ten for very large and very small values, a typographic minus sign, and the unit. */
static void value_text(double value, const char *unit, char *text, size_t size)
{
    static const char *const raised[10] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
                                           "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    double large = fabs(value);
    char number[64];
    if (large == 0.0 || (large >= 1e-3 && large < 1e5)) {
        snprintf(number, sizeof number, "%.3g", large);
    } else {
        char lead[32];
        snprintf(lead, sizeof lead, "%.2e", large);
        int power = atoi(strchr(lead, 'e') + 1);
        snprintf(lead, sizeof lead, "%.3g", large / pow(10.0, power));
        bool one = strcmp(lead, "1") == 0;
        int at =
            snprintf(number, sizeof number, "%s%s10%s", one ? "" : lead, one ? "" : "\xc2\xb7", power < 0 ? "\xe2\x81\xbb" : "");
        if (abs(power) >= 100)
            at += snprintf(number + at, sizeof number - (size_t)at, "%s", raised[abs(power) / 100 % 10]);
        if (abs(power) >= 10)
            at += snprintf(number + at, sizeof number - (size_t)at, "%s", raised[abs(power) / 10 % 10]);
        snprintf(number + at, sizeof number - (size_t)at, "%s", raised[abs(power) % 10]);
    }
    snprintf(text, size, "%s%s%s%s", value < 0.0 ? "\xe2\x88\x92" : "", number, *unit ? " " : "", unit);
}

/* ----------------------------------------------------------------------------------------------------------------- corners */

void cst_letter_title(cst_canvas *canvas, double left, double top, const char *title, const char *time, const cst_theme *theme)
{
    const cst_text_style first = style(15, theme->ink, CST_ANCHOR_START, true),
                         second = style(13, theme->soft, CST_ANCHOR_START, false);
    double wide = fmax(cst_text_width(title, 15, true), cst_text_width(time, 13, false));
    double x = left + MARGIN, y = top + MARGIN;
    card(canvas, x - PAD, y - PAD, wide + 2 * PAD, 36 + 2 * PAD, theme);
    if (*title)
        cst_canvas_text(canvas, x, y + 12, title, &first);
    cst_canvas_text(canvas, x, y + (*title ? 33 : 12), time, &second);
}

/* Returns the length of a scale bar in points (the unit of line widths). The bar has the largest length up to the argument
 * `points` that shows 1, 2 or 5 times a power of ten in metres. */
static double bar_length(double points, double metres_per_point, char *text, size_t size)
{
    double metres = cst_round_length(points * metres_per_point);
    cst_length_text(metres, text, size);
    return metres / metres_per_point;
}

static void bar(cst_canvas *canvas, double x, double y, double length, const cst_theme *theme)
{
    cst_canvas_move(canvas, x, y - 4);
    cst_canvas_line(canvas, x, y);
    cst_canvas_line(canvas, x + length, y);
    cst_canvas_line(canvas, x + length, y - 4);
    cst_canvas_paint(canvas, &(cst_paint){.stroke = cst_rgb_packed(theme->ink), .width = 1.6});
}

void cst_letter_scale_bar(cst_canvas *canvas, double left, double bottom, double metres_per_point, const cst_theme *theme)
{
    char text[40];
    double length = bar_length(120.0, metres_per_point, text, sizeof text), x = left + MARGIN, y = bottom - MARGIN;
    const cst_text_style own = style(SMALL, theme->ink, CST_ANCHOR_MIDDLE, false);
    card(canvas, x - PAD, y - 2.8 * PAD, length + 2 * PAD, 3.6 * PAD, theme);
    bar(canvas, x, y, length, theme);
    cst_canvas_text(canvas, x + 0.5 * length, y - 7, text, &own);
}

/* ------------------------------------------------------------------------------------------------------------------ legend */

static void ramp(cst_canvas *canvas, double x, double y, const cst_colour_scale *scale, const cst_theme *theme)
{
    enum { STEPS = 75 };
    for (int k = 0; k < STEPS; k++) { /* each step of the colour ramp slightly overlaps the next one, so that no seams show */
        cst_colour colour = cst_rgb_packed(cst_colour_on_scale(scale, theme, (k + 0.5) / STEPS));
        double step = RAMP / STEPS, wide = k + 1 < STEPS ? step + 0.7 : step;
        cst_canvas_rectangle(canvas, x + k * step, y, wide, 9, &(cst_paint){.fill = colour});
    }
}

static void ends(const cst_colour_scale *scale, char *low, char *high, size_t size)
{
    char number[72];
    value_text(scale->low, "", number, sizeof number);
    snprintf(low, size, "%s%s", scale->clipped && scale->low < 0.0 ? "\xe2\x89\xa4 " : "", number);
    value_text(scale->high, scale->unit, number, sizeof number);
    snprintf(high, size, "%s%s", scale->clipped ? "\xe2\x89\xa5 " : "", number);
}

static void arrow(cst_canvas *canvas, double x, double y, double length, cst_rgb colour)
{
    const cst_paint ink = {.fill = cst_rgb_packed(colour)};
    cst_canvas_rectangle(canvas, x, y - 1.1, length - 9, 2.2, &ink);
    cst_canvas_move(canvas, x + length, y);
    cst_canvas_line(canvas, x + length - 9, y - 4.2);
    cst_canvas_line(canvas, x + length - 9, y + 4.2);
    cst_canvas_close(canvas);
    cst_canvas_paint(canvas, &ink);
}

static bool empty(const cst_legend *legend)
{
    return !legend->scale.any && legend->names == 0 && !(legend->newtons > 0.0);
}

void cst_letter_legend(cst_canvas *canvas, double right, double top, const cst_legend *legend, const cst_theme *theme)
{
    if (empty(legend))
        return;
    char low[80], high[80], force[80];
    value_text(legend->newtons, "N", force, sizeof force);
    double wide = legend->scale.any ? RAMP : 0.0, high_lines = legend->scale.any ? 2.9 : 0.0;
    for (int i = 0; i < legend->names; i++)
        wide = fmax(wide, 18 + cst_text_width(legend->name[i], SMALL, false));
    if (legend->newtons > 0.0)
        wide = fmax(wide, legend->arrow + 10 + cst_text_width(force, SMALL, false));
    double lines = high_lines + legend->names + (legend->newtons > 0.0 ? 1 : 0);
    double x = right - MARGIN - wide, y = top + MARGIN;
    const cst_text_style ink = style(SMALL, theme->ink, CST_ANCHOR_START, false),
                         soft = style(SMALL, theme->soft, CST_ANCHOR_START, false);
    const cst_text_style at_end = style(SMALL, theme->soft, CST_ANCHOR_END, false);
    card(canvas, x - PAD, y - PAD, wide + 2 * PAD, lines * LINE - 5 + 2 * PAD, theme);
    if (legend->scale.any) {
        ends(&legend->scale, low, high, sizeof low);
        cst_canvas_text(canvas, x, y + 11, legend->scale.title, &ink);
        ramp(canvas, x, y + LINE, &legend->scale, theme);
        cst_canvas_text(canvas, x, y + 2.2 * LINE, low, &soft);
        cst_canvas_text(canvas, x + wide, y + 2.2 * LINE, high, &at_end);
        y += high_lines * LINE;
    }
    for (int i = 0; i < legend->names; i++, y += LINE) {
        cst_canvas_circle(canvas, x + 5, y + 7, 5, &(cst_paint){.fill = cst_rgb_packed(legend->colour[i])});
        cst_canvas_text(canvas, x + 18, y + 11, legend->name[i], &ink);
    }
    if (legend->newtons > 0.0) {
        arrow(canvas, x, y + 7, legend->arrow, theme->ink);
        cst_canvas_text(canvas, x + legend->arrow + 10, y + 11, force, &ink);
    }
}

void cst_letter_legend_line(cst_canvas *canvas, double right, double base, const cst_legend *legend, const cst_theme *theme)
{
    char low[80], high[80], force[80];
    double x = right;
    const cst_text_style ink = style(SMALL, theme->ink, CST_ANCHOR_END, false),
                         soft = style(SMALL, theme->soft, CST_ANCHOR_END, false);
    if (legend->metres_per_point > 0.0) {
        char text[40];
        double length = bar_length(80.0, legend->metres_per_point, text, sizeof text);
        cst_canvas_text(canvas, x, base, text, &ink);
        x -= cst_text_width(text, SMALL, false) + 8 + length;
        bar(canvas, x, base, length, theme);
        x -= 24;
    }
    if (legend->newtons > 0.0) {
        value_text(legend->newtons, "N", force, sizeof force);
        cst_canvas_text(canvas, x, base, force, &ink);
        x -= cst_text_width(force, SMALL, false) + 8 + legend->arrow;
        arrow(canvas, x, base - 4, legend->arrow, theme->ink);
        x -= 20;
    }
    for (int i = legend->names - 1; i >= 0; i--) {
        cst_canvas_text(canvas, x, base, legend->name[i], &ink);
        x -= cst_text_width(legend->name[i], SMALL, false) + 12;
        cst_canvas_circle(canvas, x, base - 4, 5, &(cst_paint){.fill = cst_rgb_packed(legend->colour[i])});
        x -= 20;
    }
    if (legend->scale.any) {
        ends(&legend->scale, low, high, sizeof low);
        cst_canvas_text(canvas, x, base, high, &soft);
        x -= cst_text_width(high, SMALL, false) + 8 + RAMP;
        ramp(canvas, x, base - 9, &legend->scale, theme);
        cst_canvas_text(canvas, x - 8, base, low, &soft);
        x -= cst_text_width(low, SMALL, false) + 20;
        cst_canvas_text(canvas, x, base, legend->scale.title, &ink);
    }
}
