/* A bundle of hairs side by side in a tube around a guide curve. Only the guide has to be laid over the head; the curves of the
 * hairs are computed from the guide.
 *
 * The frame (t, d1, d2) of a guide without twist does not rotate about the tangent t along the guide. A hair of the bundle has a
 * constant position (a, b) in the cross-section of the tube. If x is a point of the guide, and u1 and u2 are the curvatures of
 * the guide, the curve X of a hair at the position (a, b) in the tube is given by:
 *
 *     X = x + a*d1+b*d2.      X' = (1+u1*b-u2*a)*t.
 *
 * The curve of a hair consists of arcs, which are concentric with the arcs of the guide but have other lengths. The distance
 * between two hairs of a bundle is constant along their length, because all hairs are concentric with the guide. The elements of
 * a super-helix are equally long, but the arcs of a hair are not, so a super-helix is fitted to each hair curve. The joints of
 * the super-helix are equally spaced in arc length along the hair curve, and the tangents at the joints are those of the curve.
 * In a second step, the tangents of the super-helix are corrected, so that its joints come close to their positions on the hair
 * curve. Gaps between hairs are measured between the fitted super-helices. */
#ifndef CST_GROOM_BUNDLE_H
#define CST_GROOM_BUNDLE_H

#include "base/arena.h"
#include "groom/strand.h"

enum { CST_BUNDLE_MOST = 37 }; /* three hexagonal rings */

typedef struct cst_bundle {
    int hairs, elements, pieces; /* pieces: straight segments per element */
    double apart;                /* between hair centres (m) */
    double radius;               /* of hairs (m) */
    double tube;                 /* radius of the tube around the guide (m) */
    double place[CST_BUNDLE_MOST][2];
    int neighbour[CST_BUNDLE_MOST * 3][2]; /* pairs of adjacent positions */
    int pairs;
    double *joint, *tangent, *point; /* working memory */
} cst_bundle;

/* Returns the radius of a tube around `rings` hexagonal rings of hairs. */
double cst_bundle_tube(int rings, double radius, double apart);

/* hairs: 1 .. CST_BUNDLE_MOST. Returns false if memory ran out. */
bool cst_bundle_begin(cst_bundle *bundle, int hairs, int elements, int pieces, double radius, double apart, cst_arena *arena);

/* Computes all hairs of the bundle around the guide and writes them to the array `hair`. The caller provides the array of
 * curvatures of each hair. Returns the least gap between two hairs, or between a hair and the wall of the tube; negative if hairs
 * overlap or leave the tube. */
double cst_bundle_fill(cst_bundle *bundle, const cst_strand *guide, cst_strand *hair);

#endif
