/* Checks whether centrelines of bodies passed through each other in an attempt at a step (collide/strand_sweep.h).
 *
 * The check is made when the bodies are placed at the end of the step; every body also stores its shape at the start of the
 * step. Bounds for the motion of the centreline elements (collide/strand_room.h) nearly always show that two centrelines did
 * not cross. If these bounds do not exclude a crossing of two centrelines, each curved element is replaced by a chain of
 * chords, which connect the same material points at the start and at the end of the step. On an element with the contact radius
 * r and the curvature kappa, each chord of the chain has a length h <= sqrt(r / kappa). The distance of such a chord from its
 * element is at most kappa h^2 / 8, an eighth of the contact radius r. */
#ifndef CST_WORLD_STRAND_CHECK_H
#define CST_WORLD_STRAND_CHECK_H

#include "base/arena.h"
#include "collide/strand_sweep.h"
#include "world/objects.h"

/* Input of the check. */
typedef struct cst_strand_check {
    const cst_objects *objects;
    int dim;
    bool self_contact;
    const cst_owner_pair *apart; /* (aparts) */
    int aparts;
    double depth;                  /* deepest initial penetration, in contact radii */
    const cst_pair_list *near;     /* near pairs of pieces, at end */
    const float *near_gap;         /* array (near): gap of each pair */
    const cst_piece_way *near_way; /* displacements for `near`, or NULL */
    /* centreline elements of all bodies at the end of the step; NULL: the check gets them from the bodies */
    const cst_piece *piece;
    /* Motions of the centreline elements in the step. The caller sets the motions of all bodies whose class has the function
     * `moved`; the check sets the motions of all other bodies. NULL: the check computes all motions in memory of its own. */
    cst_piece_move *move;
    int threads;
} cst_strand_check;

typedef struct cst_strand_passed {
    /* Number of pairs of chords that passed through each other in the step; -1 if memory ran out. The members `body` and
     * `place` give the two bodies and the position of one pair of chords that passed through each other. */
    int pairs;
    int body[2];     /* from 0 */
    double place[3]; /* m */
} cst_strand_passed;

/* Runs the check. All memory that the check takes from the arena is released when it returns. */
cst_strand_passed cst_strand_check_end(const cst_strand_check *check, cst_arena *arena);

#endif
