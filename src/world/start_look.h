/* What overlaps before the first step: who with whom, and how deep.
 *
 * Detection finds all pairs whose surfaces penetrate, to some depth below closed surfaces. What lies altogether inside a closed
 * mesh or a closed chain is beyond that: points of bodies are asked for besides (start_inside.h). */
#ifndef CST_WORLD_START_LOOK_H
#define CST_WORLD_START_LOOK_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* Two that overlap, at their deepest place. */
typedef struct cst_start_overlap {
    cst_party a, b;     /* a: a body; b the same: it overlaps itself */
    double depth;       /* m */
    double radius;      /* m: the contact radius there, or half the thickness of what is sharp; 0: nothing tells */
    double position[3]; /* m: of the place, on the centreline of a */
    double share;       /* with an obstacle: of the points of a that are in its matter */
} cst_start_overlap;

/* Each pair once, in the order of owners: bodies with themselves and each other, then with obstacles. Pairs that never touch are
 * left out. Returns how many, from the arena; -1: out of memory. The step that follows finds the world as it was. */
int cst_world_look_at_start(cst_world *world, cst_arena *arena, const cst_start_overlap **out);

#endif
