/* Checks whether centrelines of bodies passed through each other in an attempt at a step (collide/strand_sweep.h).
 *
 * The check for crossed centrelines is made while the bodies are placed at the end of the step; every body also stores its shape
 * at the start of the step. Bounds for the motion of the centreline elements (collide/strand_room.h) nearly always show that no
 * centrelines crossed. If the bounds do not exclude a crossing, each curved element is replaced by a chain of at most 64 chords,
 * which connect the same material points at the start and at the end of the step. The number of chords follows from the largest
 * length h of a chord:
 *
 *     `h = sqrt(r/kappa)`.
 *     `r`: radius of the contact surface about the centreline.
 *     `kappa`: curvature of the centreline element.
 *
 * The distance of a chord of length h from an element with the curvature kappa is at most kappa h^2 / 8. With chords of length h
 * = sqrt(r / kappa), the distance of a chord from its element is at most an eighth of the radius r of the contact surface. Chords
 * are longer if 64 chords of length h are shorter than the element. */
#ifndef CST_WORLD_STRAND_CHECK_H
#define CST_WORLD_STRAND_CHECK_H

#include "base/arena.h"
#include "collide/strand_sweep.h"
#include "world/objects.h"

typedef struct cst_strand_check {
    const cst_objects *objects;
    int dim;
    bool self_contact;
    const cst_owner_pair *apart; /* (aparts) */
    int aparts;
    /* deepest penetration at the start of the step, divided by the smaller radius of the two bodies */
    double depth;
    const cst_pair_list *near;     /* near pairs of elements, at end */
    const float *near_gap;         /* array (near): gap of each pair */
    const cst_piece_way *near_way; /* displacements for `near`, or NULL */
    /* array (elements): centreline elements of all bodies at the end of the step; NULL: the check gets them from the bodies */
    const cst_piece *piece;
    /* array (elements): motions of the centreline elements of all bodies in the step. The caller sets the motions of bodies whose
     * class has the function `moved`; the check computes the motions of all other bodies. If the array `move` is NULL, the check
     * computes the motions of all bodies in its own memory. */
    cst_piece_move *move;
    int threads;
} cst_strand_check;

typedef struct cst_strand_passed {
    /* number of pairs of chords that passed through each other in the step; -1: memory ran out. The members `body` and `place`
     * describe one of the pairs of chords that passed through each other: the two bodies, and the point where the chords
     * crossed. */
    int pairs;
    int body[2];     /* from 0 */
    double place[3]; /* m */
} cst_strand_passed;

/* Runs the check for crossed centrelines. The function releases the arena memory that it has taken, unless memory ran out. */
cst_strand_passed cst_strand_check_end(const cst_strand_check *check, cst_arena *arena);

#endif
