/* A drawing surface: paths, circles and text, in groups that can be moved and clipped.
 *
 * Create a canvas with cst_canvas_svg, or with cst_canvas_png of canvas_png.h. Draw a path with cst_canvas_move,
 * cst_canvas_line and cst_canvas_paint, and a text with cst_canvas_text. Finish the picture with cst_canvas_end.
 *
 * Lengths are in typographic points; x points to the right and y down. A canvas is NULL if its creation failed, for example
 * because memory ran out. All functions accept the canvas NULL and do nothing with it; cst_canvas_end then reports a lack of
 * memory. */
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

/* Fill and outline of a path. A canvas draws the line style CST_LINE_NONE as a solid line; in a chart, CST_LINE_NONE hides the
 * line of a series. */
typedef struct cst_paint {
    cst_colour fill, stroke;
    double width; /* of the stroke */
    cst_line line;
} cst_paint;

typedef enum cst_anchor { CST_ANCHOR_START = 0, CST_ANCHOR_MIDDLE, CST_ANCHOR_END } cst_anchor;

typedef struct cst_text_style {
    double size; /* of the font */
    cst_anchor anchor;
    double angle; /* rotation of the text in degrees, anticlockwise, about the anchor on the baseline */
    bool bold;
    cst_colour colour;
    const char *raised; /* exponent that is drawn small and raised after the text, or NULL */
} cst_text_style;

/* A group of drawing commands: everything that is drawn before the end of the group is moved by (x, y). If the group is
 * clipped, its contents are visible only inside a rectangle, which is given in the coordinates of the group. */
typedef struct cst_canvas_group {
    double x, y;
    bool clipped;
    double left, top, width, height;
} cst_canvas_group;

/* The current path of the canvas: cst_canvas_move begins a new part of the path; cst_canvas_paint draws all parts and clears
 * the path. */
void cst_canvas_move(cst_canvas *canvas, double x, double y);
void cst_canvas_line(cst_canvas *canvas, double x, double y);
void cst_canvas_close(cst_canvas *canvas); /* draws a line back to the start of the current part of the path */
void cst_canvas_paint(cst_canvas *canvas, const cst_paint *paint);

/* Complete shapes; call these between paths. */
void cst_canvas_segment(cst_canvas *canvas, double x0, double y0, double x1, double y1, const cst_paint *paint);
void cst_canvas_polyline(cst_canvas *canvas, const double *xy, int count, bool closed, const cst_paint *paint);
void cst_canvas_rectangle(cst_canvas *canvas, double x, double y, double width, double height, const cst_paint *paint);
void cst_canvas_circle(cst_canvas *canvas, double x, double y, double radius, const cst_paint *paint);
void cst_canvas_text(cst_canvas *canvas, double x, double y, const char *text, const cst_text_style *style);

void cst_canvas_begin_group(cst_canvas *canvas, const cst_canvas_group *group);
void cst_canvas_end_group(cst_canvas *canvas);

/* Completes the picture and frees the canvas. Returns false with a message if the picture could not be made; the caller must
 * check the stream for write errors. */
bool cst_canvas_end(cst_canvas *canvas, char *message, size_t message_size);

/* Returns the width of a text, which is the same for every type of canvas, so that a picture always has the same layout. The
 * width of a text is that in the font DejaVu Sans; the usual fonts of SVG viewers are narrower, so that the text fits. */
double cst_text_width(const char *text, double size, bool bold);

/* Creates an SVG canvas, which writes to the stream while drawing. Returns NULL if memory ran out. */
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

/* The struct cst_canvas is the first member of every type of canvas. */
struct cst_canvas {
    const cst_canvas_class *class;
};

/* Computes the lengths of the dashes and gaps of a dashed or dotted line; both are 0 for any other line style. */
void cst_line_pattern(cst_line line, double width, double *dash, double *gap);

#endif
