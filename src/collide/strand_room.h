/* Which centrelines may have passed through each other in a step, by how far they went: nearly always none.
 *
 * At the start of the step two centrelines with the sum of radii R are R - p apart, p <= depth max(r_a, r_b) their penetration. They pass if
 * they come nearer than PASSING R (strand_sweep.h). So two pieces whose points all go by less than
 *
 *     room_a + room_b,      room = r (1 - PASSING - depth),
 *
 * relative to each other cannot have passed. If twice the farthest that any point goes relative to their common velocity is less than that
 * for the two thinnest, nothing has. Otherwise pairs of pieces are asked one by one: those that detection at the end of the step kept
 * (kept_pairs.h). It had pairs that come as near as R + |w_a - w_b| with the ways w for which it searched; a pair that passed has ended no
 * farther apart than PASSING R + |W_a - W_b| with the ways W that they went, so that it is among them if |W - w| <= r (1 - PASSING)
 * for every piece, beside the spread for which detection searched too. Where detection knows that they are R + gap apart at the end of the
 * step, they have not passed if they went by no more than (1 - PASSING) R + gap.
 *
 * Two pieces of one owner are R - p apart as well wherever their distance is least, for such places are contacts. But the distance may
 * also be least between points that are just no neighbours, NEIGHBOURS radii apart along the owner. Where the owner turns by theta over
 * that arc, they are NEIGHBOURS r cos(theta / 2) apart: more than R if theta is below 1.68. Owners that are bent more are in doubt.
 *
 * Pieces of one owner that follow each other go on: if it turns by theta from the beginning of the first to the end of the last, two points
 * with the arc l between them are l cos(theta / 2) apart; if no tangent changes by more than tau, they go by l tau at most relative to
 * each other. With l >= NEIGHBOURS r they do not pass if cos(theta / 2) - tau > 2 PASSING / NEIGHBOURS, however fast they turn together. */
#ifndef CST_COLLIDE_STRAND_ROOM_H
#define CST_COLLIDE_STRAND_ROOM_H

#include "base/arena.h"
#include "collide/owner_rules.h"
#include "collide/pair_rows.h"
#include "collide/shape_space.h"

/* A piece of a centreline, of space or of the plane. Those of an owner stand together. */
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
    double depth;                /* the deepest penetration of two owners at the start of the step, of the larger radius */
    const cst_pair_list *near;   /* rows of pieces: b >= a of detection at the end of the step, then numbers beyond. NULL: none */
    const float *near_gap;       /* (near) gap of these pairs at the end of the step; -inf or NULL: not known */
    const cst_piece_way *near_way; /* (pieces) the ways for which it searched; NULL: nothing moved */
} cst_strand_motion;

typedef enum cst_strand_doubt {
    CST_STRANDS_APART = 0, /* nothing passed */
    CST_STRANDS_PAIRS,     /* only these pairs of pieces may have */
    CST_STRANDS_ANY,       /* no pair can be excluded */
    CST_STRANDS_NO_MEMORY
} cst_strand_doubt;

/* *pair: (*pairs) increasing, a <= b, from the arena. */
cst_strand_doubt cst_strand_room(const cst_strand_motion *motion, cst_arena *arena, cst_pair **pair, int *pairs);

#endif
