/* Hairs side by side in a tube around a guide: many hairs for the price of laying one.
 *
 * A guide without twist carries its frame (t, d1, d2) along without turning it about t. A hair at the place (a, b) in it goes
 *
 *     x + a d1 + b d2,      (x + a d1 + b d2)' = (1 + u1 b - u2 a) t:
 *
 * concentric arcs, each as many times as long as it says there. So hairs at two places stay as far apart as the places are, all along. A super-helix has
 * equal elements while these arcs are not equally long; it is fitted to their curve: its joints at equal lengths along it, its tangents there, then
 * turned until the joints are where they should be. What that leaves is measured, not guessed. */
#ifndef CST_GROOM_BUNDLE_H
#define CST_GROOM_BUNDLE_H

#include "base/arena.h"
#include "groom/strand.h"

enum { CST_BUNDLE_MOST = 37 }; /* three rings of hexagons */

typedef struct cst_bundle {
    int hairs, elements, pieces; /* pieces of an element for looking */
    double apart;                /* m: between places */
    double radius;               /* m: of hairs */
    double tube;                 /* m: that they need, around the guide */
    double place[CST_BUNDLE_MOST][2];
    int neighbour[CST_BUNDLE_MOST * 3][2]; /* pairs of places that are next to each other */
    int pairs;
    double *joint, *tangent, *point; /* working memory; point: (hairs x (elements pieces + 1) x 3) */
} cst_bundle;

/* Radius of a tube around so many rings of hexagons of hairs. */
double cst_bundle_tube(int rings, double radius, double apart);

/* hairs: 1 .. CST_BUNDLE_MOST. False: out of memory. */
bool cst_bundle_begin(cst_bundle *bundle, int hairs, int elements, int pieces, double radius, double apart, cst_arena *arena);

/* Fills `hair` (hairs), whose arrays of curvatures are given. Returns the least room between two of them, or between one and the wall of the
 * tube: negative where they overlap or leave it. */
double cst_bundle_fill(cst_bundle *bundle, const cst_strand *guide, cst_strand *hair);

#endif
