/* A search for touches in space: its shapes, cut and placed, that the phases of detect_space.c share. */
#ifndef CST_COLLIDE_SPACE_SEARCH_H
#define CST_COLLIDE_SPACE_SEARCH_H

#include "base/arena.h"
#include "collide/capsule_pairs.h"
#include "collide/centreline.h"
#include "collide/space_motion.h"

typedef struct cst_owner_range {
    int32_t first, count;
    double turning; /* absolute turning of the whole owner */
} cst_owner_range;

/* What the broad phase asks of a piece or a solid, close together: it asks often. */
typedef struct cst_shape_key {
    int32_t owner;
    uint8_t flags;
    bool owner_closed;
    bool edge;
    double turned[2]; /* how far the owner's curve has turned at the start and at the end of the piece, rad */
} cst_shape_key;

typedef struct cst_space_search {
    const cst_space_scene *scene; /* its ways are those of the search */
    /* touches of the same configuration for other ways, or NULL: pairs that it covers are not searched */
    const struct cst_kept_touches *known;
    cst_placed_piece *placed;
    cst_shape_key *key; /* (pieces + solids) */
    cst_owner_range *owner;
    cst_moving_box *box; /* (solids) margins included */
    int ignored;         /* shapes that cannot be used */
    int threads;
    /* Of the pieces that are cut: */
    int32_t *first; /* (pieces + 1) segments of each piece */
    int segments;
    cst_segment *segment;
    cst_capsule *capsule; /* (segments) margins included */
    double *wide;         /* (segments) of each */
} cst_space_search;

/* Pieces placed, none of them cut; false: memory ran out. */
bool cst_space_place_pieces(cst_space_search *search, cst_arena *arena);

/* The wanted pieces (all: NULL) cut, and those that are cut already. Unless all wanted ones are, segments have other numbers then. */
bool cst_space_cut(cst_space_search *search, const uint8_t *wanted, cst_arena *arena);

/* search->scene is another one with the same shapes, whose ways may be others. All that goes by the ways is found again; not in the second one, for
 * those who ask for no capsule and no box. */
void cst_space_prepare_ways(cst_space_search *search);
void cst_space_prepare_pieces(cst_space_search *search);

static inline cst_stretch cst_stretch_of(const cst_space_search *search, int32_t segment)
{
    const cst_segment *of = &search->segment[segment];
    return (cst_stretch){.piece = of->piece, .count = search->placed[of->piece].count, .s = cst_segment_s(of, 0.5)};
}

#endif
