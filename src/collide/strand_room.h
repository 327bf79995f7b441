/* Finds the pairs of centreline pieces that may have passed through each other in a step. In nearly all steps, simple tests show
 * that no two centreline pieces passed through each other.
 *
 * Two centrelines pass through each other if their distance becomes smaller than a fifth of the sum of their radii
 * (CST_STRAND_PASSING, strand_sweep.h). Let `depth` be the deepest penetration of two centrelines at the start of the step,
 * divided by the larger of their radii. Two centreline pieces have not passed through each other if their relative displacement
 * is at most (0.8 - depth) times the sum of their radii, with the relative penetration `depth`.
 *
 * The first test for pieces that passed through each other needs no list of pairs. No two centreline pieces have passed through
 * each other if all displacements differ from their mean by at most (0.8 - depth) times the smallest radius, with the relative
 * penetration `depth`. If some pieces have the radius 0, the smallest positive radius counts, and the limit is half as large.
 *
 * A second test for pieces that passed through each other uses the pairs of centreline pieces that collision detection stored at
 * the end of the step (kept_pairs.h). Two centreline pieces have not passed through each other if their relative displacement is
 * at most their gap at the end of the step plus 0.8 times the sum of their radii. The stored pairs contain every pair that may
 * have passed through each other if the following inequality holds at both ends of every centreline piece:
 *     `|w-v|+max(0,s_w-s_v) <= 0.8*r`.
 *     `w`: displacement of an end of the centreline piece in the step (m).
 *     `s_w`: largest error (m) if the displacement of any point of the centreline piece is interpolated linearly between its two
 *         ends.
 *     `v`, `s_v`: values of w and s_w that collision detection assumed in its search (m).
 *     `r`: radius of the piece (m).
 *
 * Points of one centreline with less than 3 radii of arc length between them count as neighbours (CST_STRAND_NEIGHBOURS) and are
 * not tested. The limit (0.8 - depth) times the sum of the radii is valid for two pieces of one centreline only if this
 * centreline turns little. It may turn by at most 1.68 rad over any arc length of 3 radii (depth: relative penetration). The ends
 * of an arc of the length l that turns by the angle theta are at least l cos(theta/2) apart: two radii if l is 3 radii and theta
 * is 1.68 rad.
 *
 * Two parts of one centreline that are not neighbours have not passed through each other if the centreline between them is so
 * straight that the following inequality holds:
 *     `0.9*cos(theta/2) - tau > 2*CST_STRAND_PASSING/CST_STRAND_NEIGHBOURS`.
 *     `theta`: angle by which the centreline turns between the two parts at the start of the step (rad).
 *     `tau`: largest change of a unit tangent of the centreline between the two parts in the step.
 *     `0.9`: assumed least length of a compressed edge of a rod, as a share of its rest length. */
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
    double depth;                /* relative penetration (top of strand_room.h) */
    /* pairs (a, b), b >= a, of centreline pieces that collision detection stored at the end of the step; NULL: no pairs are
     * stored. Pairs of a centreline piece and a solid are ignored. */
    const cst_pair_list *near;
    /* lower bounds (m) for the gaps of the pairs in the list `near` at the end of the step; -infinity or NULL: unknown */
    const float *near_gap;
    /* array (pieces): displacements that collision detection assumed in its search; NULL: no shape moved */
    const cst_piece_way *near_way;
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* no pieces passed through each other */
    CST_STRANDS_PAIRS,     /* only pairs of pieces in *pair may have passed through each other */
    CST_STRANDS_ANY,       /* no test was conclusive: any two pieces may have passed through each other */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* If the result is CST_STRANDS_PAIRS, sets *pair to the sorted array of the pairs a <= b of centreline pieces that may have
 * passed through each other, and *pairs to their number. The arena holds the array. */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
