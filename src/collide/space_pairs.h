/* Finds the pairs of two segments, and of a segment and a solid, that can touch each other in the step; decides which centreline
 * pieces are cut into segments for this search.
 *
 * The pairs of centreline pieces that may touch come from the stored neighbour list (kept_pairs.h). If the stored neighbour list
 * is not valid, all centreline pieces are cut into segments, and a search over all segments finds the pairs. If the neighbour
 * list is valid, a centreline piece is cut into segments only if it can touch another shape according to the list. */
#ifndef CST_COLLIDE_SPACE_PAIRS_H
#define CST_COLLIDE_SPACE_PAIRS_H

#include "collide/detector.h"
#include "collide/space_search.h"

/* Returns true if contacts of the segment a and the shape b have to be searched; b is a segment b > a, or the number of
 * segments plus the index of a solid. Whether contacts are searched depends on the bodies of both shapes, on the angle by which
 * the centreline turns between two segments of one body, and on whether an earlier search already found the contacts. `user`: a
 * cst_space_search. */
bool cst_segments_may_touch(const void *user, int32_t a, int32_t b);

/* Cuts the centreline pieces that are marked in `wanted` (NULL: all pieces) into segments; the next call with the same shapes
 * reuses the segments. Returns false if memory ran out. */
bool cst_space_want(cst_space_search *search, const uint8_t *wanted, cst_detector *detector);

/* Lists, for each segment, all later segments and all solids with a bounding box that can touch this segment. Returns false if
 * memory ran out. */
bool cst_space_pairs(cst_space_search *search, cst_detector *detector, cst_pair_list *out);

#endif
