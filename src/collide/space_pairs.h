/* Which segments of pieces and which solids of a scene in space may touch in the step, and which pieces are cut into segments to tell.
 *
 * Pairs of pieces come from those that are kept (kept_pairs.h), or from a search of all, for which all pieces are cut. Otherwise only those are
 * of which the list does not know that they are apart. */
#ifndef CST_COLLIDE_SPACE_PAIRS_H
#define CST_COLLIDE_SPACE_PAIRS_H

#include "collide/detector.h"
#include "collide/space_search.h"

/* Segments a < b, b from the number of segments on a solid: by their owners, by their turning if these are the same, and unless their touches
 * are known. user: a cst_space_search. */
bool cst_segments_may_touch(const void *user, int32_t a, int32_t b);

/* The pieces cut that are wanted (all: NULL), which the next call about the same shapes has too. False: memory ran out. */
bool cst_space_want(cst_space_search *search, const uint8_t *wanted, cst_detector *detector);

/* Rows of segments: all segments behind it and solids, with a box, that may touch it. False: memory ran out. */
bool cst_space_pairs(cst_space_search *search, cst_detector *detector, cst_pair_list *out);

#endif
