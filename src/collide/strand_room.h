/* Finds the pairs of centreline pieces that may have passed through each other in a step, because their displacements were large
 * enough; in nearly all steps there are no such pairs.
 *
 * Two centrelines with the radii r_a and r_b touch at the distance r_a + r_b, and pass through each other if they come nearer
 * than a fifth of r_a + r_b (CST_STRAND_PASSING, strand_sweep.h). Let `depth` be the relative penetration: the deepest
 * penetration of two centrelines at the start of the step, divided by the larger radius. Two centreline pieces cannot have passed
 * through each other if their relative displacement is at most (0.8 - depth) times the sum of their radii, with the relative
 * penetration `depth`. The `room` of a piece is (0.8 - depth) times its radius, with the relative penetration `depth`.
 *
 * The first test needs no pairs. No two centreline pieces have passed through each other if every displacement differs from the
 * mean displacement of all pieces by at most (0.8 - depth) times the smallest radius, with the relative penetration `depth`. If a
 * displacement differs too much from the mean displacement, the pairs of centreline pieces that collision detection stored at the
 * end of the step (kept_pairs.h) are tested one by one. Collision detection stores all pairs of centreline pieces whose gap is at
 * most the relative displacement that the search assumed for the step. Let e be the difference between the actual displacement of
 * a piece and the displacement that collision detection assumed, minus the uncertainty that it assumed. If e is at most 0.8 times
 * the radius for every piece, the stored pairs contain every pair of pieces that passed through each other. Two centreline pieces
 * with a known gap at the end of the step have not passed through each other if their relative displacement is at most this gap
 * plus 0.8 times the sum of their radii.
 *
 * Two pieces of one centreline that come near each other have a contact, like two pieces of different centrelines; because of the
 * contact, their distance at the start of the step is at least the sum of their radii minus the penetration. Points of one
 * centreline with an arc length of less than 3 radii between them count as neighbours (CST_STRAND_NEIGHBOURS) and are not tested.
 * If a centreline of radius r turns by less than 1.68 rad over an arc length of 3 r, points with this arc length between them are
 * more than 2 r apart. If a centreline turns by more than 1.68 rad over an arc length of 3 radii, its pieces are tested for
 * having passed through each other.
 *
 * Two points of a centreline with the arc length l between them are at least l cos(theta / 2) apart if the centreline turns by
 * the angle theta between them. The relative displacement of two points with the arc length l between them is at most l tau,
 * where tau is the largest change of a unit tangent between the points in the step. Two parts of a centreline that are not
 * neighbours cannot have passed through each other in the step if theta and tau of the part between them satisfy the following
 * inequality, in which the factor 0.9 allows for compression of the centreline:
 *     `0.9 cos(theta/2)-tau > 2 CST_STRAND_PASSING/CST_STRAND_NEIGHBOURS`. */
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
    const uint8_t *owner_flags; /* array (owners): of CST_OWNER_* */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) */
    double depth; /* deepest penetration of two centrelines at the start of the step, as a share of the larger radius */
    /* pairs (a, b), b >= a, of centreline pieces that collision detection stored at the end of the step; NULL: none. Pairs
     * (a, b) of a centreline piece with a solid body are ignored. */
    const cst_pair_list *near;
    const float *near_gap; /* gap of each pair in the list `near` at the end of the step (m); -inf or NULL: unknown */
    /* displacement of each piece that collision detection assumed in its search; NULL: no shape moved */
    const cst_piece_way *near_way;
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* nothing passed */
    CST_STRANDS_PAIRS,     /* only those in *pair may have */
    CST_STRANDS_ANY,       /* no pair can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* Sets *pair to a sorted array, allocated in the arena, of the pairs a <= b of centreline pieces that may have passed through
 * each other; *pairs is their number. */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
