/* Combing: the direction of hair at every point, and the path of a hair from its root along this direction, outside all
 * obstacles.
 *
 * The combed direction is the sum of three vectors: down, sideways (away from the parting or the whorl), and backward. Symbols,
 * in the axes of the scalp (x forward, y to the left, z up):
 *     `e_x`, `e_y`: unit vectors of the axes x and y.
 *     `e_r`: horizontal unit vector away from the whorl.
 *     `down`: unit vector down.
 *     `side`, `back`: weights of the sideways and the backward vector in the combed direction.
 *     `s`: +1 on the left of the parting, -1 on its right.
 *     `d`: distance of a point of the hair from the plane of the parting, or its horizontal distance from the whorl (m).
 *     `h`: depth of a point of the hair below the plane z = 0 (m).
 *     `w(d, a) = 1 / (1 + (d / a)^2)`: weight that falls with the distance d, from 1 at d = 0 to 1/2 at the width d = a.
 *
 *     Parting: down + side*s*w(d,0.04)*e_y - back*w(h,0.04)*e_x.
 *     Whorl: down + side*w(d,0.06)*e_r - back*w(h,0.04)*e_x.
 *
 * The parting acts mainly on the top of the head. At the depth d (m) below the plane z = 0.07 m, the sideways vector of the
 * parting is multiplied by 1 / (1 + (d / 0.04)^2). At the distance d (m) behind the plane x = -0.05 m, the sideways vector is
 * again multiplied by 1 / (1 + (d / 0.04)^2). Near a surface, a component of the combed direction that points into the surface is
 * removed. Hair that is combed to a hair tie goes straight towards the tie. Where the head is in the way, hair combed to a tie
 * follows the surface of the head on nearly the shortest path.
 *
 * A hair begins in the direction of growth if one is given, and in the combed direction otherwise. Hair that is combed against
 * its growth bends from the direction of growth to the combed direction near its root. */
#ifndef CST_GROOM_COMB_H
#define CST_GROOM_COMB_H

#include <stdbool.h>

#include "groom/field.h"

typedef struct cst_comb {
    double position[3], frame[9]; /* position of the scalp (m), and rotation matrix whose columns are the axes of the scalp */
    double down[3];               /* unit vector */
    bool parted;
    double parting;    /* the parting is the plane y = parting in the axes of the scalp (m) */
    double whorl[3];   /* position of the whorl in the axes of the scalp (m) */
    double side, back; /* weights of the sideways and the backward vector in the combed direction */
    double rise;       /* weight with which the unit normal of the scalp is added to the unit direction of a hair at its root */
    bool grown;        /* true: hairs begin in the direction of growth; false: in the combed direction */
    double growth[3];  /* direction of growth in the axes of the scalp */
    bool to_tie;       /* true: the hair is combed to a hair tie; parting and whorl are ignored */
    double tie[3];     /* world position of the hair tie (m) */
    double tie_reach;  /* a hair ends where its distance from the hair tie falls to this value (m) */
} cst_comb;

/* Computes the unit direction `t` of a hair at its root from the direction of growth, which must be given (comb->grown). */
void cst_comb_growth(const cst_comb *comb, const double normal[3], double t[3]);

/* Computes the path of a hair from its root, as steps + 1 points at the spacing `step` (m). Where possible, the points of the
 * path are at least `clearance` (m) away from all surfaces. The path also rises gradually above the surface by up to `height`
 * (m), to pass over hair that was laid before. */
void cst_comb_way(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3], double clearance,
                  double height, double step, int steps, double *point);

/* Returns the length (m) of a hair's path from its root to the hair tie, a multiple of `step` and at least one step. The hair's
 * path ends at its first point within the distance comb->tie_reach of the hair tie. If no point of the first `most` metres of the
 * path is within comb->tie_reach of the tie, the path ends at its point nearest to the tie. */
double cst_comb_length_to_tie(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3],
                              double clearance, double step, double most);

/* Computes an outward unit vector at a point of a hair. Within reach / 2 of a surface, the outward vector points away from the
 * surface. Beyond the distance `reach` (m), it points away from the z axis of the scalp, perpendicular to this axis. In between,
 * it is a weighted mean of both directions. */
void cst_comb_outward(const cst_comb *comb, cst_groom_field *field, double reach, const double x[3], double out[3]);

#endif
