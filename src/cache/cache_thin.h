/* Reduces a frame to every k-th of its fibers, for pictures of heads of hair whose data are too large for a web page. */
#ifndef CST_CACHE_CACHE_THIN_H
#define CST_CACHE_CACHE_THIN_H

#include "cache/cache_read.h"

/* Removes the fibers (bodies drawn as curves of more than two vertices) whose number minus one is not a multiple of `every`, and
 * their contacts. item, contact: the frame's own arrays, compacted in place. left_out: room for bodies + 1. */
void cst_cache_thin(cst_cache_frame *frame, cst_cache_item *item, cst_contact_view *contact, int every, int bodies,
                    bool *left_out);

#endif
