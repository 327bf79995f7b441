/* Finds the pairs of centreline pieces that may have passed through each other in a step. In nearly all steps there are none.
 *
 * Two centrelines touch at the distance R, the sum of their radii. They pass through each other if their distance becomes smaller
 * than R/5 (CST_STRAND_PASSING, strand_sweep.h). At the start of the step, their distance is at least (1 - depth) R. Two
 * centreline pieces have therefore not passed through each other if their relative displacement is at most (0.8 - depth) R:
 *     `R`: sum of the radii of the two centreline pieces (m).
 *     `depth`: deepest penetration of two centrelines at the start of the step, divided by the larger of their radii.
 *
 * The first test needs no pairs. No two centreline pieces have passed through each other if all displacements differ from their
 * mean by at most (0.8 - depth) times the smallest radius.
 *
 * The second test uses the pairs of centreline pieces that collision detection stored at the end of the step (kept_pairs.h). Two
 * centreline pieces have not passed through each other if their relative displacement is at most their gap at the end of the step
 * plus 0.8 R. The stored pairs contain every pair that may have passed through each other if, at both ends of every centreline
 * piece:
 *     `|w - v| + max(0, s_w - s_v) <= 0.8*r`.
 *     `w`, `s_w`: displacement of the centreline piece in the step and its uncertainty (m).
 *     `v`, `s_v`: displacement and uncertainty that collision detection assumed for the piece (m).
 *     `r`: radius of the centreline piece (m).
 *
 * Two pieces of one centreline have contacts with each other, like pieces of two centrelines. Pieces that are less than 3 radii
 * of arc length apart count as neighbours (CST_STRAND_NEIGHBOURS) and are not tested. If a centreline turns by the angle theta
 * over the arc length l, the two ends of this arc are at least l cos(theta/2) apart. For l = 3 r and theta = 1.68 rad, the
 * distance of the two ends is 2 r, where r is the radius. If a centreline turns by more than 1.68 rad over 3 radii, points of it
 * may be nearer than 2 r without a contact. The limit (0.8 - depth) R is then not valid for two pieces of this centreline.
 *
 * Two parts of one centreline that are not neighbours have not passed through each other if the centreline between them is nearly
 * straight:
 *     `0.9*cos(theta/2) - tau > 2*CST_STRAND_PASSING/CST_STRAND_NEIGHBOURS`.
 *     `theta`: angle by which the centreline turns between the two parts at the start of the step (rad).
 *     `tau`: largest change of a unit tangent of the centreline between the two parts in the step.
 *     `0.9`: least length of an edge of a compressed rod, as a share of its rest length.
 * Two points at the arc length l from each other are at least 0.9 l cos(theta/2) apart at the start of the step. Their relative
 * displacement is at most l tau. */
#ifndef CST_COLLIDE_STRAND_ROOM_H
#define CST_COLLIDE_STRAND_ROOM_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "collide/pair_rows.h"
#include "collide/shape_space.h"

/* A piece of a centreline, in 3D or in the plane. The pieces of one centreline are consecutive. */
typedef struct cst_strand_piece {
    int32_t owner;
    double radius, length; /* m */
} cst_strand_piece;

typedef struct cst_strand_motion {
    int pieces;
    const cst_strand_piece *piece;
    const cst_piece_move *move; /* array (pieces): displacements in the step */
    const uint8_t *owner_flags; /* array (owners): flags CST_OWNER_* of each body */
    int aparts;
    const cst_owner_pair *apart; /* array (aparts): pairs of bodies that do not touch each other */
    double depth; /* deepest penetration of two centrelines at the start of the step, divided by the larger of their radii */
    /* pairs (a, b), b >= a, of centreline pieces that collision detection stored at the end of the step; NULL: none. Pairs of a
     * centreline piece and a solid are ignored. */
    const cst_pair_list *near;
    const float *near_gap; /* gap (m) of each pair in the list `near` at the end of the step; -infinity or NULL: unknown */
    /* array (pieces): displacements that collision detection assumed in its search; NULL: no shape moved */
    const cst_piece_way *near_way;
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* no two centreline pieces passed through each other */
    CST_STRANDS_PAIRS,     /* only the pairs in *pair may have passed through each other */
    CST_STRANDS_ANY,       /* no pair of centreline pieces can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* Sets *pair to the sorted array of the pairs a <= b of centreline pieces that may have passed through each other, and *pairs to
 * their number. The array is allocated in the arena. */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
