/* A groom: hairs are laid over a head one after another, each outside the head and outside all hairs laid before, if a free path
 * is found.
 *
 * Hair with lower roots is laid first, and hair with higher roots lies over it (hair combed to a hair tie: the nearest roots
 * first). Each hair is first placed as a super-helix along its combed path, and tested for overlaps with the head and with other
 * hairs. Near an overlap, the joints of the hair are moved outward, and the hair is tested again. */
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
    const cst_root *root; /* array: one root for each hair, or for each bundle (cst_groom_roots) */
    int count, elements;
    /* nominal length of the hairs (m), and the largest deviation of a single hair's length from the nominal length, divided by
     * the nominal length */
    double length, length_variation;
    double radius;                  /* contact radius of a hair (m) */
    double gap;                     /* required gap between two hairs, or between a hair and a surface (m) */
    double curl_radius, curl_pitch; /* radius and pitch (m) of the helix of curled hair; radius 0: no curl */
    /* Root of the middle hair of a ponytail, or NULL. In a ponytail, each hair runs parallel to the middle hair, and its distance
     * from the middle hair is the distance between their roots. */
    const cst_root *tie;
    int wisps;                /* number of wisps, groups of hairs that follow one guide hair; 0: none */
    double tightness;         /* from 0 to 1: how closely the hairs of a wisp follow its guide hair */
    int bundle;               /* number of hairs laid together in a tube (bundle.h); 0 or 1: each hair alone */
    const cst_taken *earlier; /* space occupied by hair laid before, or NULL */
} cst_groom_def;

typedef struct cst_groom_outcome {
    /* Number of hairs laid. After the third hair for which no free path was found, no more hairs are laid. For hair in bundles,
     * `laid`, `shortened` and `crowded` are numbers of bundles, not of hairs. */
    int laid;
    int shortened; /* number of hairs shortened by a tenth or more, because at full length they found no free path */
    /* number of hairs without a free path: nearer to other hairs or surfaces than half the required gap */
    int crowded;
    double deepest;         /* deepest overlap of a hair with other hairs or surfaces (m); 0: no overlap */
    const cst_taken *taken; /* space occupied by all laid hair, also of earlier grooms; input for the next groom */
} cst_groom_outcome;

/* Returns the number of bundles that `count` hairs need. */
int cst_groom_roots(int count, int bundle);
/* Returns the radius (m) of the tube around a bundle of `bundle` hairs. */
double cst_groom_tube(int bundle, double radius, double gap);

/* Lays all hairs and writes them to the array `strand`. Returns false if memory ran out. */
bool cst_groom_lay(const cst_groom_def *def, cst_groom_field *field, cst_rng *rng, cst_arena *arena, cst_strand *strand,
                   cst_groom_outcome *outcome);

#endif
