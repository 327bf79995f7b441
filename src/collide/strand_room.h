/* Finds centrelines that may have passed through each other in a step, judged by their displacements. In nearly all steps, no
 * centrelines can have passed through each other.
 *
 * Two centrelines with the radii r_a and r_b touch at the distance r_a + r_b, and pass through each other if they come nearer
 * than a fifth of r_a + r_b (CST_STRAND_PASSING, strand_sweep.h). At the start of the step, two centrelines penetrate each other
 * at most by `depth` times the larger radius. Two centreline pieces cannot have passed through each other if their points move
 * less, relative to each other, than the sum of the rooms of both pieces, where the room of a piece is 0.8 times its radius minus
 * the penetration at the start of the step.
 *
 * The first test needs no pairs. No two centreline pieces have passed through each other if no point of the scene, relative to
 * the mean displacement, moves farther than the smallest room of a piece, 0.8 times its radius minus the penetration at the start
 * of the step. If some displacement is too large for this simple test, the pairs of centreline pieces that collision detection
 * kept at the end of the step (kept_pairs.h) are tested one by one. Collision detection keeps all pairs of centreline pieces
 * whose gap is at most the relative displacement that the search assumed for the step. A pair of centreline pieces that passed
 * through each other is among the kept pairs if every piece moved as the search assumed, up to 0.8 times its radius plus the
 * uncertainty that the search allowed. If the gap between two centreline pieces at the end of the step is known, they have not
 * passed through each other if their relative displacement is at most 0.8 times the sum of their radii plus this gap.
 *
 * Two pieces of the same centreline that come near each other are contacts too, so their initial distance is also the sum of the
 * radii minus the penetration. The least distance within one centreline may also be that of two points that just do not count as
 * neighbours, with 3 radii of arc length between them (CST_STRAND_NEIGHBOURS). If a centreline of radius r turns by less than
 * 1.68 rad over an arc length of 3 r, points with this arc length between them are more than 2 r apart. A centreline that turns
 * by more than 1.68 rad over an arc length of 3 radii has to be tested.
 *
 * If a part of a centreline turns by the angle theta, two of its points with the arc length l between them are at least l
 * cos(theta / 2) apart. If no unit tangent changes by more than tau in the step, the relative displacement of two points with
 * the arc length l between them is at most l tau. Two points of a part of a centreline that are not neighbours do not pass
 * through each other if cos(theta / 2) - tau > 2 * 0.2 / 3, where theta is the turning angle of the part and tau the largest
 * change of a unit tangent. */
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
    /* pairs of centreline pieces (a, b), b >= a, that collision detection kept at the end of the step; NULL: none. A pair (a, b)
     * is ignored if b is not a centreline piece. */
    const cst_pair_list *near;
    const float *near_gap;         /* m: gap of each pair in the list `near` at the end of the step; -inf or NULL: unknown */
    const cst_piece_way *near_way; /* (pieces) displacements that collision detection used in its search; NULL: no shape moved */
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* nothing passed */
    CST_STRANDS_PAIRS,     /* only those in *pair may have */
    CST_STRANDS_ANY,       /* no pair can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* Writes the pairs of centreline pieces that may have passed through each other to *pair (*pairs of them, sorted, a <= b,
 * allocated in the arena). */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
