/* Finds overlaps before the first step: of bodies with each other, with themselves, and with obstacles.
 *
 * Below a closed surface, contact detection searches only to a limited depth. To find bodies deep inside a closed mesh or chain,
 * points of each body are also tested (start_inside.h). */
#ifndef CST_WORLD_START_LOOK_H
#define CST_WORLD_START_LOOK_H

#include "base/arena.h"
#include "capstan/capstan.h"

/* An overlap of two bodies, or of a body and an obstacle. */
typedef struct cst_start_overlap {
    cst_party a, b; /* a: a body; b: the body or obstacle that it overlaps, equal to a if the body overlaps itself */
    double depth;   /* largest depth (m) of the overlap */
    /* smaller radius (m) of the two surfaces at the deepest point of the overlap, or half the thickness of the thinner body if
     * both have sharp edges; 0: unknown */
    double radius;
    /* position (m) of the deepest point of the overlap: a point of body a, on its centreline if it has one */
    double position[3];
    double share; /* if b is an obstacle: fraction of the tested points of body a that are inside b */
} cst_start_overlap;

/* Pairs of crossing triangles at the start of a run; at least one triangle of each pair belongs to a sheet. */
typedef struct cst_start_crossings {
    int pairs; /* number of pairs of crossing triangles */
    /* a: a body of the first pair; b: the body or obstacle that it crosses, equal to a if a sheet crosses itself; at least one of
     * a and b is a sheet */
    cst_party a, b;
    double position[3]; /* point (m) where the two triangles of the first crossing pair intersect */
} cst_start_crossings;

/* Lists each overlapping pair once: first bodies with themselves and with each other, then bodies with obstacles. Pairs that make
 * no contacts (world/apart_pairs.h) are left out. Writes the list of overlapping pairs, in arena memory, to *out, and the
 * crossing triangles to *crossings. Returns the number of overlapping pairs, or -1 if memory ran out. The search for overlaps
 * does not change the state of the world. */
int cst_world_look_at_start(cst_world *world, cst_arena *arena, const cst_start_overlap **out, cst_start_crossings *crossings);

#endif
