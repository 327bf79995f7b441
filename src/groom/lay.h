/* A groom: hairs are laid over a head one after another, each outside the head and outside all hairs laid before.
 *
 * Hairs with lower roots are laid first, so that hairs from above lie over them. Each hair is tested in its final shape, a
 * super-helix along its combed path. Where a hair is too near to a surface or to another hair, its nearby joints are moved
 * outward according to the penetration, and the hair is tested again. */
#ifndef CST_GROOM_LAY_H
#define CST_GROOM_LAY_H

#include "base/rng.h"
#include "groom/bundle.h"
#include "groom/comb.h"
#include "groom/roots.h"
#include "groom/strand.h"
#include "groom/taken.h"

typedef struct cst_groom_def {
    cst_comb comb;
    const cst_root *root; /* one root for each hair, or for each bundle (cst_groom_roots) */
    int count, elements;
    /* length of the hairs (m) and its relative variation: all lengths lie between (1 - variation) length and (1 + variation)
     * length */
    double length, length_variation;
    double radius;                  /* of contact (m) */
    double gap;                     /* least gap between two hairs (m), or between a hair and a surface */
    double curl_radius, curl_pitch; /* radius and pitch of the helix of curled hair (m); radius 0: no curl */
    /* Root of the middle hair of a ponytail, or NULL. In a ponytail, the path of each hair is parallel to the path of the
     * middle hair, and the distance of the two paths is the distance of their roots. */
    const cst_root *tie;
    int wisps;                /* number of wisps; 0: none */
    double tightness;         /* 0 to 1: how closely the hairs of a wisp (group of hairs) follow its guide hair */
    int bundle;               /* number of hairs laid together in a tube (bundle.h); 0 or 1: each hair alone */
    const cst_taken *earlier; /* NULL, or hair laid before */
} cst_groom_def;

typedef struct cst_groom_outcome {
    int laid;       /* number of hairs that were laid; the function stops when three hairs overlap other hairs or surfaces */
    int shortened;  /* number of hairs shorter than requested by a tenth or more, because longer ones found no free path */
    int crowded;    /* number of hairs without a free path, which overlap other hairs or surfaces */
    double deepest; /* deepest of these overlaps (m) */
    const cst_taken *taken; /* the space occupied by all hair that is laid, also in earlier grooms; input for the next groom */
} cst_groom_outcome;

/* The function cst_groom_roots returns the number of bundles that `count` hairs need. The function cst_groom_tube returns
 * the radius of the tube around a bundle of `bundle` hairs. */
int cst_groom_roots(int count, int bundle);
double cst_groom_tube(int bundle, double radius, double gap);

/* Lays all hairs and writes them to the array `strand`. All memory is taken from the arena. Returns false if memory ran out. */
bool cst_groom_lay(const cst_groom_def *def, cst_groom_field *field, cst_rng *rng, cst_arena *arena, cst_strand *strand,
                   cst_groom_outcome *outcome);

#endif
