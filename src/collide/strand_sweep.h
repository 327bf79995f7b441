/* Tests if centrelines pass through each other in a step.
 *
 * Each centreline is a chain of chords. The points of a centreline are known at the start and at the end of the step and move on
 * straight lines in between. Contact keeps two centrelines apart by the sum R of their radii, and each chord deviates from its
 * curve by at most an eighth of a radius. Two chords count as having passed through each other if their distance is larger than R
 * / 5 at the start of the step and becomes smaller than R / 5 within the step, where R is the sum of their radii. The time at
 * which two chords pass through each other is found by conservative advancement (Mirtich 1996). Two chords with the distance d at
 * the time t cannot be nearer than R / 10 before the time t + (d - R / 10) / L, where R is the sum of their radii and L a bound
 * for their relative displacement in the step.
 *
 * Conservative advancement needs no special case for chords that stay in one plane, are parallel or are points. The cubic of
 * feature_sweep.h, whose roots are the times at which four points are coplanar, is zero at all times for chords in one plane,
 * for parallel chords and for points.
 *
 * In most steps no chords have to be tested: centreline pieces whose relative displacement is smaller than their distance have
 * not passed through each other (strand_room.h). If chords have to be tested, the caller gives the pairs of centreline pieces
 * that may have passed through each other. If the caller gives no pairs, a broad phase over moving capsules (capsule_tree.h)
 * finds pairs of chords; if there are only a few chords, each chord is tested against all others. In the broad phase, the capsule
 * around a chord has a radius of one fifth of the contact radius of the centreline. A pair of chords is tested only if the
 * relative displacement of the chords is large enough to bring them together. */
#ifndef CST_COLLIDE_STRAND_SWEEP_H
#define CST_COLLIDE_STRAND_SWEEP_H

#include <stdbool.h>

#include "base/arena.h"
#include "collide/capsule_pairs.h"
#include "collide/owner_rules.h"

/* Two centrelines count as having passed through each other if their distance becomes smaller than CST_STRAND_PASSING times the
 * sum of their radii. */
#define CST_STRAND_PASSING 0.2

/* Two chords of one centreline count as neighbours, which cannot pass through each other, if the arc length between them is less
 * than CST_STRAND_NEIGHBOURS radii. A fiber bent as tightly as its own radius allows comes back to itself after half a turn,
 * which is an arc length of 3.1 radii. */
#define CST_STRAND_NEIGHBOURS 3.0

/* A chord of a centreline, between two points of the arrays in cst_strands. */
typedef struct cst_chord {
    int32_t owner;
    int32_t from, to; /* among the points */
    double s;         /* arc length of the centreline at the middle of the chord (m) */
    double length;    /* length of the arc that the chord represents (m) */
    double radius;    /* m */
} cst_chord;

typedef struct cst_strands {
    int points;
    const double *start, *end; /* array (3 x points): m */
    int chords;
    const cst_chord *chord;
    /* array of the pairs a <= b of centreline pieces that may have passed through each other; if NULL, all pairs of chords are
     * tested */
    const cst_pair *pair;
    int pairs;
    /* index of the first chord of each centreline piece; needed if `pair` (pairs of pieces) is given */
    const int32_t *first;
    const uint8_t *owner_flags; /* array (owners): of CST_OWNER_* */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) */
    int threads;
} cst_strands;

/* A pair of chords that passed through each other. */
typedef struct cst_strand_crossing {
    int32_t chord[2]; /* increasing */
    double time;      /* as a share of the step */
    double place[3];  /* point on the first chord (m) */
} cst_strand_crossing;

/* Returns the number of pairs of chords that pass through each other, or -1 if memory ran out; *first: the crossing of the pair
 * with the lowest numbers. */
int cst_strand_crossings(const cst_strands *strands, cst_arena *arena, cst_strand_crossing *first);

#endif
