/* Finds centrelines that may have passed through each other in a step, judged by their displacements. In nearly all steps, no
 * centrelines can have passed through each other.
 *
 * At the start of the step, the distance of two centrelines is R - p, where R is the sum of their radii and p is their
 * penetration, at most `depth` times the larger radius. Two centrelines pass through each other if they come nearer than PASSING
 * times the sum of their radii (strand_sweep.h). Two centreline pieces cannot have passed through each other if the relative
 * displacement of all their points is less than room_a + room_b, where a piece of radius r has the room r (1 - PASSING - depth).
 *
 * A first test needs no pairs. If twice the largest displacement of any point, relative to the common velocity, is less than the
 * sum of the rooms of the two thinnest centreline pieces, no pieces have passed through each other. If a displacement is larger,
 * the pairs of centreline pieces that collision detection kept at the end of the step (kept_pairs.h) are tested one by one.
 * Collision detection kept all pairs of centreline pieces that come as near as R + |w_a - w_b|, where R is the sum of their radii
 * and w are the displacements used in its search. A pair that passed is, at the end of the step, no farther apart than PASSING R
 * + |W_a - W_b|, where R is the sum of the radii and W are the actual displacements. A pair that passed is therefore among the
 * kept pairs if, for every centreline piece, the actual displacement W differs from the displacement w of the search by at most r
 * (1 - PASSING) plus the uncertainty that the search allowed, where r is the radius of the piece. If collision detection knows
 * that two centreline pieces are R + gap apart at the end of the step, where R is the sum of their radii, they have not passed if
 * their relative displacement is at most (1 - PASSING) R + gap.
 *
 * Wherever the distance of two pieces of the same centreline has a local minimum, they are R - p apart as well, the sum of the
 * radii minus the penetration, because such points are contacts. The distance may also be least between two points that are just
 * not neighbours, NEIGHBOURS radii apart along the centreline. If a centreline of radius r turns by the angle theta over the arc
 * length NEIGHBOURS r, the two points at its ends are at least NEIGHBOURS r cos(theta / 2) apart, which is more than 2 r if theta
 * is below 1.68 rad. Centrelines that turn by more than 1.68 rad over the arc length NEIGHBOURS r have to be tested.
 *
 * For consecutive pieces of one centreline, let theta be the turning angle from the beginning of the first piece to the end of
 * the last. If consecutive pieces turn by theta in all, two of their points with the arc length l between them are at least l
 * cos(theta / 2) apart. If no unit tangent changes by more than tau in the step, the relative displacement of two points with the
 * arc length l between them is at most l tau. Two points with an arc length of at least NEIGHBOURS radii between them do not pass
 * if cos(theta / 2) - tau > 2 PASSING / NEIGHBOURS, where theta is the turning angle and tau the largest change of a unit
 * tangent, however fast the points rotate together. */
#ifndef CST_COLLIDE_STRAND_ROOM_H
#define CST_COLLIDE_STRAND_ROOM_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "collide/pair_rows.h"
#include "collide/shape_space.h"

/* A piece of a centreline, in 3D or in the plane. Pieces of one centreline are consecutive. */
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
    double depth; /* deepest penetration of two centrelines at the start of the step, as a share of the larger radius */
    /* rows of pairs of centreline pieces, b >= a, from collision detection at the end of the step; NULL: none. Numbers b beyond
     * the last centreline piece are ignored. */
    const cst_pair_list *near;
    const float *near_gap;         /* (near) m: gap of each pair in `near` at the end of the step; -inf or NULL: unknown */
    const cst_piece_way *near_way; /* (pieces) displacements that collision detection used in its search; NULL: no shape moved */
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* nothing passed */
    CST_STRANDS_PAIRS,     /* only the pairs in *pair may have passed through each other */
    CST_STRANDS_ANY,       /* no pair can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* Writes the pairs of centreline pieces that may have passed through each other to *pair (*pairs of them, sorted, a <= b,
 * allocated in the arena). */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
