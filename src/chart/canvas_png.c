/* Draws pixels with cairo, text in DejaVu Sans. */
#include "chart/canvas_png.h"

#include <math.h>
#include <stdlib.h>

#include <cairo.h>

typedef struct png_canvas {
    cst_canvas canvas;
    cairo_surface_t *surface;
    cairo_t *cairo;
    FILE *to; /* stream to which the PNG is written; NULL: the pixels belong to the caller */
} png_canvas;

static cairo_t *of(cst_canvas *canvas)
{
    return ((png_canvas *)canvas)->cairo;
}

static void png_move(cst_canvas *canvas, double x, double y)
{
    cairo_move_to(of(canvas), x, y);
}

static void png_line(cst_canvas *canvas, double x, double y)
{
    cairo_line_to(of(canvas), x, y);
}

static void png_close(cst_canvas *canvas)
{
    cairo_close_path(of(canvas));
}

static void set_colour(cairo_t *cairo, cst_colour colour)
{
    cairo_set_source_rgba(cairo, ((colour >> 16) & 255) / 255.0, ((colour >> 8) & 255) / 255.0, (colour & 255) / 255.0,
                          (colour >> 24) / 255.0);
}

static void png_paint(cst_canvas *canvas, const cst_paint *paint)
{
    cairo_t *cairo = of(canvas);
    if (paint->fill >> 24) {
        set_colour(cairo, paint->fill);
        cairo_fill_preserve(cairo);
    }
    if (paint->stroke >> 24) {
        double pattern[2];
        cst_line_pattern(paint->line, paint->width, &pattern[0], &pattern[1]);
        cairo_set_dash(cairo, pattern, pattern[1] > 0 ? 2 : 0, 0);
        cairo_set_line_width(cairo, paint->width);
        set_colour(cairo, paint->stroke);
        cairo_stroke_preserve(cairo);
    }
    cairo_new_path(cairo);
}

static void png_circle(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint)
{
    cairo_new_sub_path(of(canvas));
    cairo_arc(of(canvas), x, y, radius, 0, 2 * acos(-1.0));
    cairo_close_path(of(canvas));
    png_paint(canvas, paint);
}

static void set_font(cairo_t *cairo, double size, bool bold)
{
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
}

static double advance(cairo_t *cairo, const char *text, double size, bool bold)
{
    cairo_text_extents_t extents;
    set_font(cairo, size, bold);
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

static void png_text(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style)
{
    cairo_t *cairo = of(canvas);
    const char *raised = style->raised ? style->raised : "";
    double small = 0.75 * style->size;
    double own = advance(cairo, text, style->size, style->bold);
    double whole = own + advance(cairo, raised, small, style->bold);
    double start = style->anchor == CST_ANCHOR_MIDDLE ? -whole / 2 : style->anchor == CST_ANCHOR_END ? -whole : 0;
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    cairo_rotate(cairo, -style->angle * acos(-1.0) / 180);
    set_colour(cairo, style->colour);
    set_font(cairo, style->size, style->bold);
    cairo_move_to(cairo, start, 0);
    cairo_show_text(cairo, text);
    set_font(cairo, small, style->bold);
    cairo_move_to(cairo, start + own, -0.42 * style->size);
    cairo_show_text(cairo, raised);
    cairo_new_path(cairo);
    cairo_restore(cairo);
}

static void png_begin_group(cst_canvas *canvas, const cst_canvas_group *group)
{
    cairo_t *cairo = of(canvas);
    cairo_save(cairo);
    cairo_translate(cairo, group->x, group->y);
    if (group->clipped) {
        cairo_rectangle(cairo, group->left, group->top, group->width, group->height);
        cairo_clip(cairo);
    }
}

static void png_end_group(cst_canvas *canvas)
{
    cairo_restore(of(canvas));
}

static cairo_status_t write_bytes(void *to, const unsigned char *bytes, unsigned count)
{
    return fwrite(bytes, 1, count, to) == count ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static void destroy(png_canvas *png)
{
    cairo_destroy(png->cairo); /* cairo accepts failed objects */
    cairo_surface_destroy(png->surface);
    free(png);
}

static bool png_end(cst_canvas *canvas, char *message, size_t message_size)
{
    png_canvas *png = (png_canvas *)canvas;
    cairo_status_t status = cairo_status(png->cairo);
    cairo_surface_flush(png->surface);
    if (status == CAIRO_STATUS_SUCCESS && png->to)
        status = cairo_surface_write_to_png_stream(png->surface, write_bytes, png->to);
    if (status != CAIRO_STATUS_SUCCESS)
        snprintf(message, message_size, "the picture could not be drawn: %s", cairo_status_to_string(status));
    destroy(png);
    return status == CAIRO_STATUS_SUCCESS;
}

/* Takes the surface. */
static cst_canvas *canvas_on(cairo_surface_t *surface, int width, int height, double scale, FILE *to, char *message,
                             size_t message_size)
{
    static const cst_canvas_class class = {.move = png_move,
                                           .line = png_line,
                                           .close = png_close,
                                           .paint = png_paint,
                                           .circle = png_circle,
                                           .text = png_text,
                                           .begin_group = png_begin_group,
                                           .end_group = png_end_group,
                                           .end = png_end};
    png_canvas *png = calloc(1, sizeof *png);
    if (!png) {
        snprintf(message, message_size, "out of memory");
        cairo_surface_destroy(surface);
        return NULL;
    }
    png->canvas.class = &class;
    png->to = to;
    png->surface = surface;
    png->cairo = cairo_create(png->surface);
    cairo_scale(png->cairo, scale, scale);
    if (to) {
        cairo_set_source_rgb(png->cairo, 1, 1, 1);
        cairo_paint(png->cairo);
    }
    cairo_set_line_cap(png->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(png->cairo, CAIRO_LINE_JOIN_ROUND);
    /* without font hinting, cairo does not round the widths of glyphs to pixels, so a text has the same layout at any scale */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(png->cairo, options);
    cairo_font_options_destroy(options);

    set_font(png->cairo, 12, false);
    cairo_scaled_font_t *font = cairo_get_scaled_font(png->cairo);
    if (cairo_status(png->cairo) != CAIRO_STATUS_SUCCESS)
        snprintf(message, message_size, "a picture of %d x %d pixels: %s", width, height,
                 cairo_status_to_string(cairo_status(png->cairo)));
    /* a font of type USER is cairo's built-in font, which is meant for tests only and is used if no font is installed */
    else if (cairo_scaled_font_get_type(font) == CAIRO_FONT_TYPE_USER)
        snprintf(message, message_size, "no font is installed (Debian package fonts-dejavu-core)");
    else
        return &png->canvas;
    destroy(png);
    return NULL;
}

cst_canvas *cst_canvas_png(double width, double height, double scale, FILE *to, char *message, size_t message_size)
{
    int columns = (int)lround(width * scale), rows = (int)lround(height * scale);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
    return canvas_on(surface, columns, rows, scale, to, message, message_size);
}

cst_canvas *cst_canvas_pixels(uint32_t *pixel, int width, int height, double scale, char *message, size_t message_size)
{
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data((unsigned char *)pixel, CAIRO_FORMAT_RGB24, width, height, 4 * width);
    return canvas_on(surface, width, height, scale, NULL, message, message_size);
}

bool cst_canvas_png_available(char *message, size_t message_size)
{
    (void)message;
    (void)message_size;
    return true;
}
