/* The inside of a raster: what was added to it, and its room for drawing. */
#ifndef CST_RENDER_RASTER_THINGS_H
#define CST_RENDER_RASTER_THINGS_H

#include "render/raster_shapes.h"

/* A list that grows. */
typedef struct cst_list {
    void *item;
    int count, room;
} cst_list;

struct cst_raster {
    int threads;
    bool failed; /* memory ran out since the beginning of this picture */
    cst_view view;
    cst_list shape, tube, ball, triangle, plane, flat, point;
    cst_list marking;
    int marked; /* the marking of what is added now, or CST_NOTHING */
    const cst_shadow *shadow;
    cst_list crossing; /* threads x the most corners of a polygon */
    int corners_max;
    cst_list bin_start, bin; /* which shapes may be seen in which tile, in order */
    cst_list order;          /* shapes, the nearest first */
    cst_tile tile[];         /* (threads) */
};

/* Room for so many more, already counted. NULL, and the raster has failed, without memory. */
void *cst_list_take(cst_raster *raster, cst_list *l, int more, size_t size);

#endif
