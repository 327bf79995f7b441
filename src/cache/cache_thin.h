/* Removes most fibers from a frame, for pictures of heads of hair whose data are too large for a web page. */
#ifndef CST_CACHE_CACHE_THIN_H
#define CST_CACHE_CACHE_THIN_H

#include "cache/cache_read.h"

/* Keeps the first fiber of the frame and every k-th fiber after it (k = `every`), and removes all other fibers and their contacts
 * from the frame. Rods count as fibers: a fiber is a body drawn as a curve of more than two vertices. `item` and `contact` are
 * the frame's own arrays, which are compacted in place. `left_out`: temporary array with bodies + 1 entries; the function marks
 * in it the bodies that it removes from the frame. */
void cst_cache_thin(cst_cache_frame *frame, cst_cache_item *item, cst_contact_view *contact, int every, int bodies,
                    bool *left_out);

#endif
