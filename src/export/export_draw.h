/* One item of a frame as curves or faces (export/export_shapes.h). */
#ifndef CST_EXPORT_EXPORT_DRAW_H
#define CST_EXPORT_EXPORT_DRAW_H

#include "export/export_shapes.h"

typedef struct cst_export_size {
    int points, parts, corners;
} cst_export_size;

/* Faces, or curves? */
bool cst_export_draws_faces(int dim, cst_drawn_as as);

/* What an item takes. An item that lacks the vertices its kind needs (a damaged cache) takes nothing. */
cst_export_size cst_export_draw_size(int dim, const cst_cache_item *item);

/* Where the next one goes in the arrays of the shapes. */
typedef struct cst_export_drawing {
    cst_export_shapes *shapes;
    int points, parts, corners;
} cst_export_drawing;

/* before: points that its object has already. */
void cst_export_draw(cst_export_drawing *at, const cst_cache_item *item, int before);

#endif
