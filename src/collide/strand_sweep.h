/* Tests if centrelines pass through each other in a step.
 *
 * Each centreline is a chain of chords whose ends move on straight lines during the step. Two chords count as having passed
 * through each other if their distance falls below a fifth of the sum of their radii within the step. Two chords that are already
 * nearer than this at the start of the step do not count. Contact keeps two centrelines apart by the sum of their radii, and each
 * chord deviates from its curve by at most an eighth of a radius, unless an element would need more than 64 chords
 * (world/strand_check.c). The distance of two chords in contact is therefore far above a fifth of the sum of their radii.
 *
 * The time at which two chords pass through each other is found by conservative advancement (Mirtich 1996). Each time increment
 * of the advancement is so short that the distance of the two chords cannot fall below a tenth of the sum R of their radii. As a
 * share of the step, the time increment is:
 *     `(d-R/10)/L`.
 *
 * Symbols of the time increment:
 *     `d`: present distance of the two chords (m).
 *     `R`: sum of the radii of the two chords (m).
 *     `L`: upper bound for the relative displacement of the two chords in the whole step (m).
 *
 * Conservative advancement needs no special case for chords that are parallel or stay in one plane. For chords that stay in one
 * plane, the polynomial of feature_sweep.h is zero at all times and does not give the time at which they meet.
 *
 * The caller gives the pairs of centreline pieces that may have passed through each other (strand_room.h); in most steps there
 * are none. If the caller gives no list of pairs and there are many chords, a tree of capsules (capsule_tree.h) finds the pairs
 * of near chords. The radius of each capsule is a fifth of the radius of the centreline. */
#ifndef CST_COLLIDE_STRAND_SWEEP_H
#define CST_COLLIDE_STRAND_SWEEP_H

#include <stdbool.h>

#include "base/arena.h"
#include "collide/capsule_pairs.h"
#include "collide/owner_rules.h"

/* CST_STRAND_PASSING: distance of two chords, in units of the sum of their radii, below which they count as having passed
 * through each other. */
#define CST_STRAND_PASSING 0.2

/* CST_STRAND_NEIGHBOURS: two chords of one centreline are tested only if the arc length between them is larger than
 * CST_STRAND_NEIGHBOURS radii. A fiber bent as tightly as its own radius allows comes back to itself after half a turn, which is
 * an arc length of 3.1 radii. */
#define CST_STRAND_NEIGHBOURS 3.0

typedef struct cst_chord {
    int32_t owner;
    int32_t from, to; /* indices of its end points */
    double s;         /* arc length (m) at its middle */
    double length;    /* arc length (m) it represents */
    double radius;    /* m */
} cst_chord;

typedef struct cst_strands {
    int points;
    const double *start, *end; /* array (3 x points): positions (m) */
    int chords;
    const cst_chord *chord;
    /* array (pairs): centreline pieces a <= b that may have passed through each other; NULL: all pairs of chords are tested */
    const cst_pair *pair;
    int pairs;
    /* first chord of each centreline piece */
    const int32_t *first;
    const uint8_t *owner_flags; /* array (owners): of CST_OWNER_* */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) */
    int threads;
} cst_strands;

typedef struct cst_strand_crossing {
    int32_t chord[2]; /* increasing */
    double time;      /* as a share of the step */
    double place[3];  /* point on the first chord (m) */
} cst_strand_crossing;

/* Returns the number of pairs of chords that pass through each other, or -1 if memory ran out. `first`: output, the pair with the
 * lowest indices; unchanged if no chords pass through each other. */
int cst_strand_crossings(const cst_strands *strands, cst_arena *arena, cst_strand_crossing *first);

#endif
