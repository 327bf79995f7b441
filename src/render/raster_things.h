/* Internal data of a raster: the shapes that were added, and buffers for drawing. */
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
    bool failed; /* true if memory ran out since the last call of cst_raster_begin */
    cst_view view;
    cst_list shape, tube, ball, triangle, plane, flat, point;
    cst_list marking;
    int marked; /* index (in `marking`) of the pattern painted on the tubes and balls added next; CST_NOTHING: none */
    const cst_shadow *shadow;
    cst_list crossing; /* buffer for the points where a row of rays crosses the edges of a polygon, one part per thread */
    int corners_max;
    cst_list bin_start, bin; /* lists of the shapes that can be visible in each tile, in the order in which they are drawn */
    cst_list order;          /* shapes, the nearest first */
    cst_tile tile[];         /* (threads) */
};

/* Returns memory for `more` new items of a list, and adds `more` to the count of the list. If memory ran out, returns NULL and
 * marks the raster as failed. */
void *cst_list_take(cst_raster *raster, cst_list *l, int more, size_t size);

#endif
