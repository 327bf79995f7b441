/* Hairs side by side in a tube around a guide: only the guide has to be laid.
 *
 * A guide without twist carries its frame (t, d1, d2) along without rotation about t. A hair at the position (a, b) in this frame
 * follows
 *
 *     x + a d1 + b d2,      (x + a d1 + b d2)' = (1 + u1 b - u2 a) t:
 *
 * these curves are concentric arcs whose lengths differ by the factor 1 + u1 b - u2 a. The distance between two hairs of the
 * tube is therefore constant along their length. The elements of a super-helix are equally long, but the concentric arcs of a
 * hair are not. The hair is fitted to the curve that these concentric arcs form: its joints are put at equal lengths along the
 * curve, with the curve's tangents, and the tangents are then corrected until the joints are in place. The remaining error is
 * measured. */
#ifndef CST_GROOM_BUNDLE_H
#define CST_GROOM_BUNDLE_H

#include "base/arena.h"
#include "groom/strand.h"

enum { CST_BUNDLE_MOST = 37 }; /* three hexagonal rings */

typedef struct cst_bundle {
    int hairs, elements, pieces; /* pieces: number of pieces per element for distance tests */
    double apart;                /* m: between places */
    double radius;               /* m: of hairs */
    double tube;                 /* m: radius of the tube around the guide */
    double place[CST_BUNDLE_MOST][2];
    int neighbour[CST_BUNDLE_MOST * 3][2]; /* pairs of adjacent positions */
    int pairs;
    double *joint, *tangent, *point; /* working memory; `point` has (hairs x (elements pieces + 1) x 3) numbers */
} cst_bundle;

/* Returns the radius of a tube around `rings` hexagonal rings of hairs. */
double cst_bundle_tube(int rings, double radius, double apart);

/* hairs: 1 .. CST_BUNDLE_MOST. Returns false if memory ran out. */
bool cst_bundle_begin(cst_bundle *bundle, int hairs, int elements, int pieces, double radius, double apart, cst_arena *arena);

/* Fills `hair` (hairs), whose arrays of curvatures are given. Returns the least gap between two hairs, or between a hair and the
 * wall of the tube; negative if hairs overlap or leave the tube. */
double cst_bundle_fill(cst_bundle *bundle, const cst_strand *guide, cst_strand *hair);

#endif
