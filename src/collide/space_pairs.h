/* Finds the segments of pieces and the solids of a 3D scene that may touch in the step, and decides which pieces are cut into
 * segments for this.
 *
 * Pairs of pieces come from the kept list (kept_pairs.h), or from a search over all pieces, for which all of them are cut. With a
 * kept list, only pieces that the list does not know to be apart are cut. */
#ifndef CST_COLLIDE_SPACE_PAIRS_H
#define CST_COLLIDE_SPACE_PAIRS_H

#include "collide/detector.h"
#include "collide/space_search.h"

/* Returns true if the segments a < b may touch; b may be a solid, with an index from the number of segments on. The result
 * depends on the owners of both segments, on the turning of the owner between them if they have the same owner, and on whether
 * their touches are known. `user`: a cst_space_search. */
bool cst_segments_may_touch(const void *user, int32_t a, int32_t b);

/* Cuts the wanted pieces (NULL: all); the next call with the same shapes reuses them. Returns false if memory ran out. */
bool cst_space_want(cst_space_search *search, const uint8_t *wanted, cst_detector *detector);

/* Computes rows of segments: all later segments, and solids with a box, that may touch a segment. Returns false if memory ran
 * out. */
bool cst_space_pairs(cst_space_search *search, cst_detector *detector, cst_pair_list *out);

#endif
