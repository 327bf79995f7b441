/* Finds all overlaps of bodies and obstacles before the first step: for each overlap the two owners and the depth.
 *
 * Contact detection finds all pairs whose surfaces penetrate; below a closed surface it searches only to a limited depth. A
 * body that lies completely inside a closed mesh or a closed chain may be deeper than this limit, so points of bodies are
 * tested as well (start_inside.h). */
#ifndef CST_WORLD_START_LOOK_H
#define CST_WORLD_START_LOOK_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* An overlap of two owners at its deepest place. */
typedef struct cst_start_overlap {
    cst_party a, b;     /* side a is a body; if b = a, the body overlaps itself */
    double depth;       /* m */
    double radius;      /* m: contact radius at the deepest place, or half the thickness of a sharp body; 0: unknown */
    double position[3]; /* m: the deepest place, on a's centreline */
    double share;       /* if b is an obstacle: fraction of the tested points of body a that are inside b */
} cst_start_overlap;

/* Lists each overlapping pair once in the order of owners: bodies with themselves and with each other, then bodies with
 * obstacles. Pairs of owners for which no contacts are made (world/apart_pairs.h) are left out. Returns the number of pairs
 * (list in the arena), or -1 if memory ran out. The state of the world is not changed. */
int cst_world_look_at_start(cst_world *world, cst_arena *arena, const cst_start_overlap **out);

#endif
