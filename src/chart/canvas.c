#include "chart/canvas.h"

#include "write/utf8.h"

void cst_canvas_move(cst_canvas *canvas, double x, double y)
{
    if (canvas)
        canvas->class->move(canvas, x, y);
}

void cst_canvas_line(cst_canvas *canvas, double x, double y)
{
    if (canvas)
        canvas->class->line(canvas, x, y);
}

void cst_canvas_close(cst_canvas *canvas)
{
    if (canvas)
        canvas->class->close(canvas);
}

void cst_canvas_paint(cst_canvas *canvas, const cst_paint *paint)
{
    if (canvas)
        canvas->class->paint(canvas, paint);
}

void cst_canvas_segment(cst_canvas *canvas, double x0, double y0, double x1, double y1, const cst_paint *paint)
{
    cst_canvas_move(canvas, x0, y0);
    cst_canvas_line(canvas, x1, y1);
    cst_canvas_paint(canvas, paint);
}

void cst_canvas_polyline(cst_canvas *canvas, const double *xy, int count, bool closed, const cst_paint *paint)
{
    if (count <= 0)
        return;
    cst_canvas_move(canvas, xy[0], xy[1]);
    for (int i = 1; i < count; i++)
        cst_canvas_line(canvas, xy[2 * i], xy[2 * i + 1]);
    if (closed)
        cst_canvas_close(canvas);
    cst_canvas_paint(canvas, paint);
}

void cst_canvas_rectangle(cst_canvas *canvas, double x, double y, double width, double height, const cst_paint *paint)
{
    const double corner[8] = {x, y, x + width, y, x + width, y + height, x, y + height};
    cst_canvas_polyline(canvas, corner, 4, true, paint);
}

void cst_canvas_circle(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint)
{
    if (canvas)
        canvas->class->circle(canvas, x, y, radius, paint);
}

void cst_canvas_text(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style)
{
    if (canvas)
        canvas->class->text(canvas, x, y, text, style);
}

void cst_canvas_begin_group(cst_canvas *canvas, const cst_canvas_group *group)
{
    if (canvas)
        canvas->class->begin_group(canvas, group);
}

void cst_canvas_end_group(cst_canvas *canvas)
{
    if (canvas)
        canvas->class->end_group(canvas);
}

bool cst_canvas_end(cst_canvas *canvas, char *message, size_t message_size)
{
    if (canvas)
        return canvas->class->end(canvas, message, message_size);
    snprintf(message, message_size, "out of memory");
    return false;
}

void cst_line_pattern(cst_line line, double width, double *dash, double *gap)
{
    double unit = width > 1 ? width : 1;
    *dash = line == CST_LINE_DASHED ? 4 * unit : line == CST_LINE_DOTTED ? unit : 0;
    *gap = line == CST_LINE_DASHED ? 2.6 * unit : line == CST_LINE_DOTTED ? 2.3 * unit : 0;
}

double cst_text_width(const char *text, double size, bool bold)
{
    /* Widths of the characters from the space to the tilde, in hundredths of the font size. */
    static const unsigned char advance[] = {32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
                                            64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
                                            58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
                                            61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
                                            28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84};
    double sum = 0;
    while (*text) {
        uint32_t code;
        text += cst_utf8_decode(text, &code);
        sum += code >= 32 && code <= 126        ? advance[code - 32]
               : code == 0x2212 || code == 0xd7 ? 84
                                                : 64; /* minus, times: 84; Greek: about 64 */
    }
    return (bold ? 1.12 : 1) * size * sum / 100;
}
