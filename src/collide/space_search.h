/* Data of a search for contacts in 3D, which the phases of detect_space.c share: the shapes and the segments into which
 * centreline pieces are cut. */
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

/* The data of a centreline piece or a solid that the broad phase reads, stored compactly because it is read often. */
typedef struct cst_shape_key {
    int32_t owner;
    uint8_t flags;
    bool owner_closed;
    bool edge;
    /* sums (rad) of the absolute changes of direction of the centreline from its beginning to the start of the piece, and to the
     * end of the piece */
    double turned[2];
} cst_shape_key;

typedef struct cst_space_search {
    const cst_space_scene *scene; /* scene and its displacements */
    /* contacts that an earlier search found for the same positions of the shapes but other displacements, or NULL; pairs of
     * shapes for which these contacts are valid are not searched */
    const struct cst_kept_touches *known;
    cst_placed_piece *placed;
    cst_shape_key *key; /* (pieces + solids) */
    cst_owner_range *owner;
    cst_moving_box *box; /* array (solids): margins included */
    int ignored;         /* number of unusable shapes */
    int threads;
    /* Data of the centreline pieces that are cut into segments: */
    int32_t *first; /* index of the first segment of each centreline piece, and the number of all segments as last entry */
    int segments;
    cst_segment *segment;
    cst_capsule *capsule; /* array (segments): margins included */
    double *wide;         /* array (segments): of each */
} cst_space_search;

/* Places the centreline pieces, uncut. Returns false if memory ran out. */
bool cst_space_place_pieces(cst_space_search *search, cst_arena *arena);

/* Cuts the centreline pieces that are marked in `wanted` (NULL: all pieces) into segments; pieces that are cut already stay cut.
 * The function cst_space_cut renumbers the segments unless all wanted centreline pieces were already cut. */
bool cst_space_cut(cst_space_search *search, const uint8_t *wanted, cst_arena *arena);

/* The function cst_space_prepare_ways computes all data that depend on displacements; it is called after search->scene is
 * replaced by a scene with the same shapes and perhaps other displacements. The function cst_space_prepare_pieces only sets the
 * pointers to the centreline pieces and curves of the new scene; it does not update capsules and boxes. */
void cst_space_prepare_ways(cst_space_search *search);
void cst_space_prepare_pieces(cst_space_search *search);

static inline cst_stretch cst_stretch_of(const cst_space_search *search, int32_t segment)
{
    const cst_segment *of = &search->segment[segment];
    return (cst_stretch){.piece = of->piece, .count = search->placed[of->piece].count, .s = cst_segment_s(of, 0.5)};
}

#endif
