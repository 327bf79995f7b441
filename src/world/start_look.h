/* Finds all overlaps of bodies and obstacles before the first step: the two bodies (or body and obstacle) of each overlap, and
 * its depth.
 *
 * Contact detection finds all pairs whose surfaces penetrate, but below a closed surface it searches only to a limited depth.
 * A body that lies completely inside a closed mesh or a closed chain may be deeper than contact detection searches, so points
 * of bodies are tested as well (start_inside.h). */
#ifndef CST_WORLD_START_LOOK_H
#define CST_WORLD_START_LOOK_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* An overlap of two bodies, or of a body and an obstacle, at its deepest point. */
typedef struct cst_start_overlap {
    cst_party a, b; /* a: body; b = a: self-overlap */
    double depth;   /* m */
    /* contact radius (m) at the deepest point, or half the thickness of a body with sharp edges; 0: unknown */
    double radius;
    double position[3]; /* deepest point (m), on a's centreline */
    double share;       /* if b is an obstacle: fraction of the tested points of body a that are inside b */
} cst_start_overlap;

/* Triangles of sheets that cross each other or another mesh at the start of a run. */
typedef struct cst_start_crossings {
    int pairs;          /* number of crossing pairs of triangles */
    cst_party a, b;     /* a: the sheet of the first crossing pair; b: what the sheet crosses, equal to a if it crosses itself */
    double position[3]; /* point (m) where the two triangles of the first crossing pair intersect */
} cst_start_crossings;

/* Lists each overlapping pair once: first bodies with themselves and with each other, then bodies with obstacles. Pairs for
 * which no contacts are made (world/apart_pairs.h) are left out. Returns the number of overlapping pairs (the list is in the
 * arena), or -1 if memory ran out. `crossings`: output, the triangles that cross. The search for overlaps does not change
 * the state of the world. */
int cst_world_look_at_start(cst_world *world, cst_arena *arena, const cst_start_overlap **out, cst_start_crossings *crossings);

#endif
