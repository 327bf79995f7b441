/* Did centrelines of bodies pass through each other in an attempt at a step? (collide/strand_sweep.h)
 *
 *     begin   bodies are placed at the start of the step: their centrelines become chains of chords
 *     end     bodies are placed at its end: the same material points, where they are then
 *
 * A piece of length L and curvature kappa is cut into chords of h <= sqrt(r / kappa), which are within kappa h^2 / 8 <= r / 8 of it. */
#ifndef CST_WORLD_STRAND_CHECK_H
#define CST_WORLD_STRAND_CHECK_H

#include "base/arena.h"
#include "collide/strand_sweep.h"
#include "world/objects.h"

/* What a check is made for; all of it lasts as long as the step. */
typedef struct cst_strand_input {
    const cst_objects *objects;
    int dim;
    bool self_contact;
    const cst_owner_pair *apart; /* (aparts) */
    int aparts;
    const cst_kept_pairs *near; /* of detection in space; NULL: none */
    int threads;
} cst_strand_input;

typedef struct cst_strand_check {
    cst_strand_input in;
    cst_strands strands;
    double *start, *end; /* (3 x points) the chord j of the piece p goes from the point j + p to the next */
    cst_chord *chord;
    int32_t *first_chord; /* (bodies + 1) */
    int32_t *first_piece; /* (bodies + 1) */
    int32_t *piece_chord; /* (pieces + 1) the first chord of each piece */
} cst_strand_check;

/* check->in is the caller's. False: memory ran out. */
bool cst_strand_check_begin(cst_strand_check *check, cst_arena *arena);

/* How many pairs of chords passed through each other; *first: one of them. depth: the deepest penetration at the start of the step, in
 * contact radii. The arena gives back what the search took. -1: memory ran
 * out. */
int cst_strand_check_end(const cst_strand_check *check, double depth, cst_arena *arena, cst_strand_crossing *first);

/* The bodies of a crossing, from 0. */
void cst_strand_check_bodies(const cst_strand_check *check, const cst_strand_crossing *crossing, int bodies[2]);

#endif
