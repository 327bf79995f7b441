/* A groom: hairs laid over a head one after another, each outside of the head and of all that were laid before.
 *
 * Hairs that grow lower come first, so that those from above lie over them. A hair is tried as the super-helix that it will be, along its
 * combed way. Where it comes too near to a surface or to another hair the joints around that place are lifted outward by as much, and it is tried
 * again; so a layer is as high as what it lies on. */
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
    const cst_root *root; /* (count), or of bundles (cst_groom_roots) */
    int count, elements;
    double length, length_variation; /* m; relative: lengths lie between (1 -+ it) length */
    double radius;                   /* m: of contact */
    double gap;                      /* m: at least this much free between two hairs, or a hair and a surface */
    double curl_radius, curl_pitch;  /* m: of what hairs wind around; radius 0: no curl */
    const cst_root *tie;             /* NULL, or the middle of a tie: ways lie beside the way from there, as far as their roots */
    int wisps;                       /* 0: each hair for itself */
    double tightness;                /* 0 .. 1: how far a hair goes from its own way to that of its wisp, at its end */
    int bundle;                      /* hairs that are laid as one, side by side in a tube (bundle.h); 0, 1: each for itself */
    const cst_taken *earlier;        /* NULL, or hair that lies there already */
} cst_groom_def;

typedef struct cst_groom_outcome {
    int laid;               /* all of them, or those before too many were crowded: it stops there */
    int shortened;          /* hairs that are shorter than asked for, by a tenth or more: as long ones they found no free way */
    int crowded;            /* hairs that found no free way: they overlap something */
    double deepest;         /* m: the largest of these overlaps */
    const cst_taken *taken; /* all that was laid, with what was earlier: for what is laid next */
} cst_groom_outcome;

/* Bundles of so many hairs, and the radius of what is laid for one. */
int cst_groom_roots(int count, int bundle);
double cst_groom_tube(int bundle, double radius, double gap);

/* Fills strand (count), whose arrays are in the arena as all else. False: out of memory. */
bool cst_groom_lay(const cst_groom_def *def, cst_groom_field *field, cst_rng *rng, cst_arena *arena, cst_strand *strand,
                   cst_groom_outcome *outcome);

#endif
