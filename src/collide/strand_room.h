/* Finds centrelines that may have passed through each other in a step, by their displacements: nearly always none.
 *
 * At the start of the step, the distance of two centrelines with the sum of radii R is R - p, where p <= depth max(r_a, r_b) is
 * their penetration. Two centrelines pass if they come nearer than PASSING R (strand_sweep.h). Two pieces cannot have passed if
 * the relative displacement of all their points is less than
 *
 *     room_a + room_b,      room = r (1 - PASSING - depth).
 *
 * If twice the largest displacement of any point relative to the common velocity is less than room_a + room_b of the two thinnest
 * pieces, no pieces have passed through each other. If a displacement is larger, pairs of pieces are tested one by one: the pairs
 * that collision detection at the end of the step kept (kept_pairs.h). Detection kept all pairs that come as near as R + |w_a -
 * w_b|, where w are the displacements it searched with. A pair that passed is at the end of the step no farther apart than
 * PASSING R + |W_a - W_b|, where W are the actual displacements. The pair is therefore among the kept ones if |W - w| <= r (1 -
 * PASSING) for every piece, in addition to the spread that detection searched with. If detection knows that two pieces are R +
 * gap apart at the end of the step, they have not passed if their relative displacement is at most (1 - PASSING) R + gap.
 *
 * Two pieces of one owner are R - p apart as well wherever their distance has a local minimum, because such points are contacts.
 * The distance may also be least between points that are just not neighbours, NEIGHBOURS radii apart along the owner. If the
 * owner turns by theta over this arc, the two points are at least NEIGHBOURS r cos(theta / 2) apart, which is more than R if
 * theta is below 1.68. Owners that turn by more than 1.68 rad over such an arc have to be tested.
 *
 * Consecutive pieces of one owner: let theta be the turning from the beginning of the first to the end of the last. Two points
 * with the arc length l between them are at least l cos(theta / 2) apart. If no tangent changes by more than tau, the relative
 * displacement of the points is at most l tau. With l >= NEIGHBOURS r, the two points do not pass if cos(theta / 2) - tau > 2
 * PASSING / NEIGHBOURS, however fast they rotate together. */
#ifndef CST_COLLIDE_STRAND_ROOM_H
#define CST_COLLIDE_STRAND_ROOM_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "collide/pair_rows.h"
#include "collide/shape_space.h"

/* A piece of a centreline, in 3D or in the plane. Pieces of an owner are consecutive. */
typedef struct cst_strand_piece {
    int32_t owner;
    double radius, length; /* m */
} cst_strand_piece;

typedef struct cst_strand_motion {
    int pieces;
    const cst_strand_piece *piece;
    const cst_piece_move *move; /* (pieces) */
    const uint8_t *owner_flags; /* (owners) of CST_OWNER_* */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) */
    double depth;                /* deepest penetration of two owners at the start of the step, as a share of the larger radius */
    /* rows of pairs of pieces, b >= a, from detection at the end of the step (numbers beyond those of the pieces are ignored);
     * NULL: none */
    const cst_pair_list *near;
    const float *near_gap;         /* (near) gap of the pairs in `near` at the end of the step; -inf or NULL: unknown */
    const cst_piece_way *near_way; /* (pieces) displacements that detection searched with; NULL: nothing moved */
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* nothing passed */
    CST_STRANDS_PAIRS,     /* only these pairs of pieces may have passed through each other */
    CST_STRANDS_ANY,       /* no pair can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* Writes the pairs of pieces that may have passed through each other to *pair (*pairs of them, sorted, a <= b, allocated in the
 * arena). */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
