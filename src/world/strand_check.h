/* Did centrelines of bodies pass through each other in an attempt at a step? (collide/strand_sweep.h)
 *
 * Asked when bodies are placed at its end: they know where they were at its start. First by how far their pieces went
 * (collide/strand_room.h), which nearly always says no. Pieces for which it does not become chains of chords, of the same material points at
 * the start and at the end: a piece of length L and curvature kappa is cut into chords of h <= sqrt(r / kappa), which are within
 * kappa h^2 / 8 <= r / 8 of it. */
#ifndef CST_WORLD_STRAND_CHECK_H
#define CST_WORLD_STRAND_CHECK_H

#include "base/arena.h"
#include "collide/strand_sweep.h"
#include "world/objects.h"

/* What a check is made for. */
typedef struct cst_strand_check {
    const cst_objects *objects;
    int dim;
    bool self_contact;
    const cst_owner_pair *apart; /* (aparts) */
    int aparts;
    double depth;                  /* the deepest penetration at the start of the step, in contact radii */
    const cst_pair_list *near;     /* pairs of pieces of detection at the end of the step, and */
    const float *near_gap;         /* (near) */
    const cst_piece_way *near_way; /* the ways for which it searched; NULL: none, or nothing moved */
    int threads;
} cst_strand_check;

typedef struct cst_strand_passed {
    int pairs;       /* of chords that passed through each other; -1: memory ran out. Of one of them: */
    int body[2];     /* from 0 */
    double place[3]; /* m */
} cst_strand_passed;

/* The arena gives back what the search took. */
cst_strand_passed cst_strand_check_end(const cst_strand_check *check, cst_arena *arena);

#endif
