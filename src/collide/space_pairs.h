/* Finds the pairs of shapes that may touch in the step: two segments of centrelines, or a segment and a solid.
 *
 * The pairs of centreline pieces come from the neighbour list of an earlier step (kept_pairs.h), as long as it is valid. A
 * centreline piece is cut into segments only if it may touch another shape according to the neighbour list, or if it is near a
 * plane. If the neighbour list is not valid, the missing pairs are added to it (kept_mend.c). If they cannot be added, all pieces
 * are cut into segments, and a search over all segments makes a new list. */
#ifndef CST_COLLIDE_SPACE_PAIRS_H
#define CST_COLLIDE_SPACE_PAIRS_H

#include "collide/detector.h"
#include "collide/space_search.h"

/* Returns true if contacts of the segment a and the shape b are to be searched. The index b is that of a later segment (b > a),
 * or the number of segments plus the index of a solid. Two segments of one body are searched only if the centreline between them
 * can turn by at least half a turn (at a fold, fold.h: a quarter turn). A solid b is searched only if its contacts with the
 * centreline piece of the segment are not known from an earlier search. A solid b other than a plane or a mesh must also be near
 * the segment a. `user`: a cst_space_search. */
bool cst_segments_may_touch(const void *user, int32_t a, int32_t b);

/* Cuts the centreline pieces that are marked in `wanted` (NULL: all pieces) into segments, which the next call with the same
 * shapes uses again. Returns false if memory ran out or if there are too many segments (INT32_MAX). */
bool cst_space_want(cst_space_search *search, const uint8_t *wanted, cst_detector *detector);

/* Lists, for each segment, the later segments and the solids (except planes) that may touch this segment. Returns false if memory
 * ran out or if there are too many pairs (cst_pairs_most). */
bool cst_space_pairs(cst_space_search *search, cst_detector *detector, cst_pair_list *out);

#endif
