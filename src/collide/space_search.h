/* Data that all phases of a 3D contact search share: the shapes, and the segments into which centreline pieces are cut. */
#ifndef CST_COLLIDE_SPACE_SEARCH_H
#define CST_COLLIDE_SPACE_SEARCH_H

#include "base/arena.h"
#include "collide/capsule_pairs.h"
#include "collide/centreline.h"
#include "collide/space_motion.h"

typedef struct cst_owner_range {
    int32_t first, count;
    double turning; /* upper bound for the sum of the absolute changes of direction along the whole centreline (rad) */
} cst_owner_range;

/* Data of a centreline piece or a solid, stored compactly because the broad phase reads these data often. */
typedef struct cst_shape_key {
    int32_t owner;
    uint8_t flags;
    bool owner_closed;
    bool edge;
    /* upper bounds (rad) for the sum of the absolute changes of direction of the centreline, from its beginning to the start and
     * to the end of the piece */
    double turned[2];
} cst_shape_key;

typedef struct cst_space_search {
    const cst_space_scene *scene;
    /* contacts that an earlier search found for the same shapes but other displacements, or NULL; pairs of shapes for which these
     * contacts are valid are not searched */
    const struct cst_kept_touches *known;
    cst_placed_piece *placed;
    cst_shape_key *key; /* array (pieces + solids) */
    cst_owner_range *owner;
    cst_moving_box *box; /* array (solids): margins included */
    int ignored;         /* number of unusable shapes */
    int threads;
    /* Data of pieces cut into segments: */
    /* array (pieces + 1): index of the first segment of each centreline piece; the last entry is the number of all segments */
    int32_t *first;
    int segments;
    cst_segment *segment;
    cst_capsule *capsule; /* array (segments): margins included */
    double *wide;         /* array (segments): largest distance (m) of each segment's curve from the axis of its capsule */
} cst_space_search;

/* Computes the ends and tangents of all centreline pieces and the bounding boxes of all solids, but does not cut the pieces into
 * segments. Returns false if memory ran out. */
bool cst_space_place_pieces(cst_space_search *search, cst_arena *arena);

/* Cuts the centreline pieces marked in `wanted` (NULL: all pieces) into segments. Pieces that are cut already stay cut, but all
 * segments get new indices if a further piece is cut. */
bool cst_space_cut(cst_space_search *search, const uint8_t *wanted, cst_arena *arena);

/* The functions cst_space_prepare_ways and cst_space_prepare_pieces adapt the data of a search after search->scene was replaced
 * by a scene with the same shapes and perhaps other displacements. The function cst_space_prepare_pieces updates only the
 * pointers to centreline pieces and curves; the capsules and boxes keep the old displacements. */
void cst_space_prepare_ways(cst_space_search *search);
void cst_space_prepare_pieces(cst_space_search *search);

static inline cst_stretch cst_stretch_of(const cst_space_search *search, int32_t segment)
{
    const cst_segment *of = &search->segment[segment];
    return (cst_stretch){.piece = of->piece, .count = search->placed[of->piece].count, .s = cst_segment_s(of, 0.5)};
}

#endif
