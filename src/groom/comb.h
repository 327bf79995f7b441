/* Combing: the direction of hair at every point, and the path that a hair follows from its root along this direction, outside all
 * obstacles.
 *
 * The direction is given in the axes of the scalp (x forward, y to the left, z up). With a parting, d is the distance from the
 * parting, s = +-1 its side, and the direction is
 *
 *     down  +  side s e_y w(d, 0.04)  -  back e_x w(h, 0.04).
 *
 * With a whorl, d is the distance from the whorl, e_r points horizontally away from it, and the direction is
 *
 *     down  +  side e_r w(d, 0.06)  -  back e_x w(h, 0.04).
 *
 * The weight function is w(d, a) = 1 / (1 + (d / a)^2), and h is the depth of the point below the plane z = 0 of the scalp. The
 * parting is on the top of the head, z > 0.07 m and x > -0.05 m. If the direction points into a surface, its component into the
 * surface is removed. Hair that is combed to a tie goes straight towards it, and along the surface where the head is in the
 * way, on nearly the shortest path. */
#ifndef CST_GROOM_COMB_H
#define CST_GROOM_COMB_H

#include <stdbool.h>

#include "groom/field.h"

typedef struct cst_comb {
    double position[3], frame[9]; /* position and axes (columns) of the scalp */
    double down[3];               /* unit */
    bool parted;
    double parting;    /* m: the plane y = parting */
    double whorl[3];   /* m: position of the whorl in the axes of the scalp */
    double side, back; /* weights */
    double rise;       /* share of the scalp's normal in the hair's direction at the root */
    bool to_tie;       /* combed to a tie instead */
    double tie[3];     /* m: middle of the tie, in world axes */
    double tie_reach;  /* m: hair ends at this distance from the tie */
} cst_comb;

/* Computes the path of a hair from its root as (steps + 1) points, `step` apart, at least `clearance` from all surfaces where
 * possible. Within some centimetres, the path also rises by `height` above the surface, to pass over hair that was laid
 * before. */
void cst_comb_way(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3], double clearance,
                  double height, double step, int steps, double *point);

/* Returns the length of a path to the tie: at least one step, and a multiple of `step`. The path ends at its first point within
 * the tie's reach or, if there is none, at the point of its first `most` metres that is nearest to the tie. */
double cst_comb_length_to_tie(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3],
                              double clearance, double step, double most);

/* Computes the unit outward direction at a point of a hair: away from a near surface, or horizontally away from the scalp's axis
 * if none is near. */
void cst_comb_outward(const cst_comb *comb, cst_groom_field *field, double reach, const double x[3], double out[3]);

#endif
