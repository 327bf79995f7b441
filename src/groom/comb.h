/* Which way hair lies: a direction at every point, and the way that a hair takes from its root along it, outside of everything.
 *
 * In the axes of the scalp (x forward, y to the left, z up) the direction is
 *
 *     down  +  side s e_y w(d, 0.04)  -  back e_x w(h, 0.04)      parted: d the distance from where the parting is, s = +-1
 *     down  +  side e_r w(d, 0.06)    -  back e_x w(h, 0.04)      or from the whorl: e_r level, away from it
 *
 * with w(d, a) = 1 / (1 + (d / a)^2) and h the depth below z = 0. The parting is on the top of the head, z > 0.07 m and x > -0.05 m. Where it points into a surface that part is dropped.
 * Hair that is combed to a tie goes straight towards it, along the surface where there is one: over the head, on about the shortest way. */
#ifndef CST_GROOM_COMB_H
#define CST_GROOM_COMB_H

#include <stdbool.h>

#include "groom/field.h"

typedef struct cst_comb {
    double position[3], frame[9]; /* of the scalp: columns are its axes */
    double down[3];               /* unit */
    bool parted;
    double parting;    /* m: the plane y = parting */
    double whorl[3];   /* m: in the axes of the scalp */
    double side, back; /* weights */
    double rise;       /* of the normal in the direction at the root */
    bool to_tie;       /* combed to a tie instead */
    double tie[3];     /* m: its middle, in the axes of the world */
    double tie_reach;  /* m: hair ends at this distance from it */
} cst_comb;

/* The way from a root of a hair: (steps + 1) points, `step` apart, at least `clearance` from all surfaces where it can be, and
 * `height` more, which it gains within some centimetres: over what lies there already. */
void cst_comb_way(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3], double clearance,
                  double height, double step, int steps, double *point);

/* How long a way to the tie is, to whole steps: to within reach of it, or to where it is nearest on its first `most` metres. At least a step. */
double cst_comb_length_to_tie(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3],
                              double clearance, double step, double most);

/* Outward at a place of a hair: away from a surface that is near, level and away from the axis of the scalp if none is. Unit. */
void cst_comb_outward(const cst_comb *comb, cst_groom_field *field, double reach, const double x[3], double out[3]);

#endif
