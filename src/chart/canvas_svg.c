/* Writes SVG 1.1. The points of a path are written to the file as they are added; the colours and the line style of the path are
 * written after its last point. */
#include <assert.h>
#include <stdlib.h>

#include "chart/canvas.h"

typedef struct svg_canvas {
    cst_canvas canvas;
    FILE *to;
    bool drawing; /* inside the d="" of a path */
    int clips;    /* number of clip rectangles so far */
} svg_canvas;

static svg_canvas *of(cst_canvas *canvas)
{
    return (svg_canvas *)canvas;
}

static void path_begin(svg_canvas *svg)
{
    if (!svg->drawing)
        fputs("<path d=\"", svg->to);
    svg->drawing = true;
}

static void svg_move(cst_canvas *canvas, double x, double y)
{
    path_begin(of(canvas));
    fprintf(of(canvas)->to, "M%.2f %.2f", x, y);
}

static void svg_line(cst_canvas *canvas, double x, double y)
{
    assert(of(canvas)->drawing);
    fprintf(of(canvas)->to, "L%.2f %.2f", x, y);
}

static void svg_close(cst_canvas *canvas)
{
    assert(of(canvas)->drawing);
    fputc('Z', of(canvas)->to);
}

static void colour(FILE *to, const char *what, cst_colour value)
{
    unsigned alpha = value >> 24;
    if (alpha == 0) {
        fprintf(to, " %s=\"none\"", what);
        return;
    }
    fprintf(to, " %s=\"#%06x\"", what, value & 0xffffffu);
    if (alpha < 255)
        fprintf(to, " %s-opacity=\"%.3g\"", what, alpha / 255.0);
}

static void put_paint(FILE *to, const cst_paint *paint)
{
    colour(to, "fill", paint->fill);
    if (paint->stroke >> 24) {
        colour(to, "stroke", paint->stroke);
        fprintf(to, " stroke-width=\"%.3g\" stroke-linejoin=\"round\" stroke-linecap=\"round\"", paint->width);
        double dash, gap;
        cst_line_pattern(paint->line, paint->width, &dash, &gap);
        if (gap > 0)
            fprintf(to, " stroke-dasharray=\"%.3g %.3g\"", dash, gap);
    }
    fputs("/>\n", to);
}

static void svg_paint(cst_canvas *canvas, const cst_paint *paint)
{
    svg_canvas *svg = of(canvas);
    if (!svg->drawing)
        return;
    svg->drawing = false;
    fputc('"', svg->to);
    put_paint(svg->to, paint);
}

static void svg_circle(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint)
{
    assert(!of(canvas)->drawing);
    fprintf(of(canvas)->to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", x, y, radius);
    put_paint(of(canvas)->to, paint);
}

/* Control characters are omitted, because XML cannot represent most of them. */
static void escaped(FILE *to, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        default:
            if ((unsigned char)*text >= 32)
                fputc(*text, to);
        }
    }
}

static void svg_text(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style)
{
    static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    FILE *to = of(canvas)->to;
    assert(!of(canvas)->drawing);
    if (style->angle != 0)
        fprintf(to, "<text transform=\"translate(%.2f %.2f) rotate(%.4g)\"", x, y, -style->angle);
    else
        fprintf(to, "<text x=\"%.2f\" y=\"%.2f\"", x, y);
    fprintf(to, "%s font-size=\"%.3g\"%s", anchor[style->anchor], style->size, style->bold ? " font-weight=\"bold\"" : "");
    colour(to, "fill", style->colour);
    fputc('>', to);
    escaped(to, text);
    if (style->raised && *style->raised) {
        fprintf(to, "<tspan dy=\"%.3g\" font-size=\"%.3g\">", -0.42 * style->size, 0.75 * style->size);
        escaped(to, style->raised);
        fputs("</tspan>", to);
    }
    fputs("</text>\n", to);
}

static void svg_begin_group(cst_canvas *canvas, const cst_canvas_group *group)
{
    svg_canvas *svg = of(canvas);
    assert(!svg->drawing);
    if (group->clipped)
        fprintf(svg->to, "<clipPath id=\"clip%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n",
                ++svg->clips, group->left, group->top, group->width, group->height);
    fputs("<g", svg->to);
    if (group->x != 0 || group->y != 0)
        fprintf(svg->to, " transform=\"translate(%.2f %.2f)\"", group->x, group->y);
    if (group->clipped)
        fprintf(svg->to, " clip-path=\"url(#clip%d)\"", svg->clips);
    fputs(">\n", svg->to);
}

static void svg_end_group(cst_canvas *canvas)
{
    assert(!of(canvas)->drawing);
    fputs("</g>\n", of(canvas)->to);
}

static bool svg_end(cst_canvas *canvas, char *message, size_t message_size)
{
    (void)message;
    (void)message_size;
    fputs("</svg>\n", of(canvas)->to);
    free(canvas);
    return true;
}

cst_canvas *cst_canvas_svg(double width, double height, FILE *to)
{
    static const cst_canvas_class class = {.move = svg_move,
                                           .line = svg_line,
                                           .close = svg_close,
                                           .paint = svg_paint,
                                           .circle = svg_circle,
                                           .text = svg_text,
                                           .begin_group = svg_begin_group,
                                           .end_group = svg_end_group,
                                           .end = svg_end};
    svg_canvas *svg = calloc(1, sizeof *svg);
    if (!svg)
        return NULL;
    svg->canvas.class = &class;
    svg->to = to;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n"
            "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    return &svg->canvas;
}
