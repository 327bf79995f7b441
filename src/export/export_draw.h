/* Draws one item of a frame (a body or an obstacle) as curves or faces (export/export_shapes.h). */
#ifndef CST_EXPORT_EXPORT_DRAW_H
#define CST_EXPORT_EXPORT_DRAW_H

#include "export/export_shapes.h"

typedef struct cst_export_size {
    int points, parts, corners;
} cst_export_size;

/* Returns true if an item is drawn as faces, and false if it is drawn as curves. */
bool cst_export_draws_faces(int dim, cst_drawn_as as);

/* Returns how many points, parts (curves or faces) and corners the drawing of a body or obstacle needs. If vertices of the body
 * or obstacle are missing in a damaged cache, the number of points is 0. */
cst_export_size cst_export_draw_size(int dim, const cst_cache_item *item);

/* Numbers of points, parts and corners already stored in the arrays of `shapes`; the next ones are stored behind them. */
typedef struct cst_export_drawing {
    cst_export_shapes *shapes;
    int points, parts, corners;
} cst_export_drawing;

/* Draws one item of a frame. `before`: number of points already drawn for the exported object that contains this body or obstacle
 * (one object may combine several bodies). */
void cst_export_draw(cst_export_drawing *at, const cst_cache_item *item, int before);

#endif
