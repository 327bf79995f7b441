/* A bundle of hairs side by side in a tube around a guide curve. Only the guide curve is laid over the head; the curves of the
 * hairs are computed from the guide curve. Symbols:
 *     `t`, `d1`, `d2`: frame of the guide curve: unit tangent and two directions of the cross-section.
 *     `u1`, `u2`: curvatures of the guide.
 *     `x`: point of the guide.
 *     `a`, `b`: coordinates of a hair in the cross-section of the tube, along d1 and d2.
 *     `X`: point of the hair.
 *
 *     `X = x + a*d1+b*d2`.
 *     `X' = (1+u1*b-u2*a)*t`.
 *
 * The guide has no twist: its frame does not rotate about the tangent. A hair has a constant position (a, b) in the cross-section
 * of the tube. All hairs of a bundle therefore run parallel to the guide, and the distance between two hairs is constant along
 * their length.
 *
 * The curve of a hair consists of arcs of different lengths, but a super-helix has elements of equal length, so a super-helix is
 * fitted to the curve. The fit starts with joints equally spaced along the hair curve, and with the tangents of the hair curve at
 * the joints. The fit then corrects the tangents, so that the joints of the super-helix come close to the hair curve. */
#ifndef CST_GROOM_BUNDLE_H
#define CST_GROOM_BUNDLE_H

#include "base/arena.h"
#include "groom/strand.h"

/* largest number of hairs in a bundle: 1 in the middle and 6, 12 and 18 in three hexagonal rings */
enum { CST_BUNDLE_MOST = 37 };

typedef struct cst_bundle {
    int hairs, elements, pieces; /* pieces: number of straight segments per element */
    double apart;                /* distance between the centres of neighbouring hairs of a bundle (m) */
    double radius;               /* radius of the hairs (m) */
    double tube;                 /* radius of the tube around the guide (m) */
    double place[CST_BUNDLE_MOST][2];
    int neighbour[CST_BUNDLE_MOST * 3][2]; /* pairs of adjacent hairs */
    int pairs;
    double *joint, *tangent, *point; /* working memory */
} cst_bundle;

/* Returns the radius (m) of a tube around `rings` hexagonal rings of hairs. */
double cst_bundle_tube(int rings, double radius, double apart);

/* Prepares a bundle of 1 to CST_BUNDLE_MOST hairs. Returns false if memory ran out. */
bool cst_bundle_begin(cst_bundle *bundle, int hairs, int elements, int pieces, double radius, double apart, cst_arena *arena);

/* Computes all hairs of the bundle around the guide and writes them to the array `hair`. The caller provides the array of
 * curvatures of each hair. Returns the least gap (m) between two neighbouring hairs, or between a hair and the wall of the tube.
 * A negative gap means that hairs overlap or leave the tube. */
double cst_bundle_fill(cst_bundle *bundle, const cst_strand *guide, cst_strand *hair);

#endif
