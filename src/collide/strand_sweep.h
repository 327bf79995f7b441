/* Do centrelines pass through each other in a step?
 *
 * Each centreline is a chain of chords. Its points are known at the start and at the end of the step and move on straight lines in
 * between. Contact keeps two centrelines apart by the sum of their radii R; chords follow their curves within an eighth of a radius each. So
 * two chords that begin farther apart than R / 5 and come nearer than that within the step have passed through each other, or are
 * about to. The time at which they do is found by conservative advancement (Mirtich 1996): with d(t) their distance and L a bound of
 * the length of their relative motion, they cannot be nearer than R / 10 before
 *
 *     t + (d(t) - R / 10) / L.
 *
 * It needs no case for chords that stay in one plane, run parallel or are points, in which the cubic of four coplanar points
 * (feature_sweep.h) vanishes.
 *
 * Most steps end before that: what goes less far than it is apart has not passed (strand_room.h). Pairs of pieces that may have are given, or
 * a broad phase finds pairs of chords: that of capsules that move (capsule_tree.h), with R / 5 as their thickness. It looks at a pair only
 * if its motion relative to each other is longer than its distance. */
#ifndef CST_COLLIDE_STRAND_SWEEP_H
#define CST_COLLIDE_STRAND_SWEEP_H

#include <stdbool.h>

#include "base/arena.h"
#include "collide/capsule_pairs.h"
#include "collide/owner_rules.h"

/* Of the sum of the radii: nearer than this, two centrelines pass. */
#define CST_STRAND_PASSING 0.2

/* Of the radius, along one owner: nearer to each other than this, two chords are neighbours, which bend but do not pass. A fiber that is
 * bent as tightly as its own radius allows comes back to itself after half a turn, 3.1 radii. */
#define CST_STRAND_NEIGHBOURS 3.0

/* A chord from a point of the list to another. */
typedef struct cst_chord {
    int32_t owner;
    int32_t from, to; /* among the points */
    double s;         /* m: arc length of the owner at its middle */
    double length;    /* m: of the arc that it stands for */
    double radius;    /* m */
} cst_chord;

typedef struct cst_strands {
    int points;
    const double *start, *end; /* (3 x points) m */
    int chords;
    const cst_chord *chord;
    const cst_pair *pair; /* (pairs) of pieces that may have passed, a <= b; NULL: any two chords */
    int pairs;
    const int32_t *first;       /* (pieces + 1) with pairs: among the chords */
    const uint8_t *owner_flags; /* (owners) of CST_OWNER_* */
    int aparts;
    const cst_owner_pair *apart; /* (aparts) */
    int threads;
} cst_strands;

/* One that passed through another. */
typedef struct cst_strand_crossing {
    int32_t chord[2]; /* increasing */
    double time;      /* share of the step, in [0, 1] */
    double place[3];  /* m: on the first chord */
} cst_strand_crossing;

/* Number of pairs of chords that pass through each other; *first: that of the lowest chords. -1: memory ran out. */
int cst_strand_crossings(const cst_strands *strands, cst_arena *arena, cst_strand_crossing *first);

#endif
