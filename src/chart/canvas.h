/* A picture in the making: paths, circles and text, in groups that can be moved and clipped.
 *
 *     cst_canvas *canvas = cst_canvas_svg(640, 480, stream);          or canvas_png.h: cst_canvas_png
 *     cst_canvas_move(canvas, 10, 10);
 *     cst_canvas_line(canvas, 90, 40);
 *     cst_canvas_paint(canvas, &(cst_paint){.stroke = CST_OPAQUE(0x0072b2), .width = 1.5});
 *     cst_canvas_text(canvas, 10, 60, "here", &(cst_text_style){.size = 12, .colour = CST_OPAQUE(0)});
 *     cst_canvas_end(canvas, message, sizeof message);
 *
 * Units are points of the picture, x to the right and y down. All functions take NULL (memory ran out at the beginning) and do
 * nothing then; cst_canvas_end says so. */
#ifndef CST_CHART_CANVAS_H
#define CST_CHART_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cst_canvas cst_canvas;

/* 0xAARRGGBB; 0: nothing is drawn. */
typedef uint32_t cst_colour;
#define CST_OPAQUE(rgb) (0xff000000u | (rgb))

typedef enum cst_line { CST_LINE_NONE = 0, CST_LINE_SOLID, CST_LINE_DASHED, CST_LINE_DOTTED } cst_line;

/* Fill and outline of a path. A stroke with CST_LINE_NONE is solid: only charts have lines that are none. */
typedef struct cst_paint {
    cst_colour fill, stroke;
    double width; /* of the stroke */
    cst_line line;
} cst_paint;

typedef enum cst_anchor { CST_ANCHOR_START = 0, CST_ANCHOR_MIDDLE, CST_ANCHOR_END } cst_anchor;

typedef struct cst_text_style {
    double size; /* of the font */
    cst_anchor anchor;
    double angle; /* degrees, anticlockwise, about the anchor on the base line */
    bool bold;
    cst_colour colour;
    const char *raised; /* set small and high after the text, as an exponent; or NULL */
} cst_text_style;

/* Everything up to the matching end is moved by (x, y) and, if clipped, shown only inside the rectangle given in the moved
 * coordinates. */
typedef struct cst_canvas_group {
    double x, y;
    bool clipped;
    double left, top, width, height;
} cst_canvas_group;

/* The path being drawn: move begins a part, paint draws them all and forgets them. */
void cst_canvas_move(cst_canvas *canvas, double x, double y);
void cst_canvas_line(cst_canvas *canvas, double x, double y);
void cst_canvas_close(cst_canvas *canvas); /* back to where this part began */
void cst_canvas_paint(cst_canvas *canvas, const cst_paint *paint);

/* Whole things, between paths. */
void cst_canvas_segment(cst_canvas *canvas, double x0, double y0, double x1, double y1, const cst_paint *paint);
void cst_canvas_polyline(cst_canvas *canvas, const double *xy, int count, bool closed, const cst_paint *paint);
void cst_canvas_rectangle(cst_canvas *canvas, double x, double y, double width, double height, const cst_paint *paint);
void cst_canvas_circle(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint);
void cst_canvas_text(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style);

void cst_canvas_begin_group(cst_canvas *canvas, const cst_canvas_group *group);
void cst_canvas_end_group(cst_canvas *canvas);

/* Completes the picture and frees the canvas. false and a message if the picture could not be made; errors of the stream are the
 * caller's to see. */
bool cst_canvas_end(cst_canvas *canvas, char *message, size_t message_size);

/* Room that a text takes, the same for every kind of canvas so that a picture has one layout: advances of DejaVu Sans, which is
 * wider than what SVG viewers usually have. */
double cst_text_width(const char *text, double size, bool bold);

/* SVG, written to the stream as it is drawn. NULL without memory. */
cst_canvas *cst_canvas_svg(double width, double height, FILE *to);

/* ------------------------------------------------------------------------------------------------------- kinds of canvas */

typedef struct cst_canvas_class {
    void (*move)(cst_canvas *canvas, double x, double y);
    void (*line)(cst_canvas *canvas, double x, double y);
    void (*close)(cst_canvas *canvas);
    void (*paint)(cst_canvas *canvas, const cst_paint *paint);
    void (*circle)(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint);
    void (*text)(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style);
    void (*begin_group)(cst_canvas *canvas, const cst_canvas_group *group);
    void (*end_group)(cst_canvas *canvas);
    bool (*end)(cst_canvas *canvas, char *message, size_t message_size);
} cst_canvas_class;

/* First member of every kind. */
struct cst_canvas {
    const cst_canvas_class *class;
};

/* Lengths of dash and gap for a line of some width; 0 and 0 if it is solid. */
void cst_line_pattern(cst_line line, double width, double *dash, double *gap);

#endif
