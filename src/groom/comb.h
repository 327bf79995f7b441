/* Combing: the direction of hair at every point, and the path that a hair follows from its root along this direction, outside all
 * obstacles.
 *
 * The axes of the scalp are x forward, y to the left and z up, with the unit vectors e_x, e_y and e_z. The combed direction is
 * the sum of three vectors: the unit vector `down`, a sideways vector (weight `side`), which points away from the parting or
 * the whorl, and a backward vector (weight `back`). The length of the sideways vector decreases with the distance d from the
 * parting or the whorl, the length of the backward vector with the depth h below the plane z = 0 of the scalp. The sign s of
 * the sideways vector is +1 on the left of the parting and -1 on its right. The unit vector e_r points horizontally away from
 * the whorl. The function w(d, a) = 1 / (1 + (d / a)^2) is 1 at d = 0 and 1/2 at d = a.
 *
 *     Parting: down + side*s*w(d,0.04)*e_y - back*w(h,0.04)*e_x.
 *     Whorl: down + side*w(d,0.06)*e_r - back*w(h,0.04)*e_x.
 *
 * The parting is on the top of the head; the effect of the parting on the combed direction decreases below z = 0.07 m and behind
 * x = -0.05 m, with the weight function w. If the combed direction points into a surface, its component into the surface is
 * removed. Hair that is combed to a hair tie goes straight towards the tie or, where the head is in the way, along the surface of
 * the head on nearly the shortest path.
 *
 * A hair begins in the combed direction, or, if a direction of growth is given, in the direction of growth. Hair that is combed
 * against its growth bends from the direction of growth to the combed direction near its root. */
#ifndef CST_GROOM_COMB_H
#define CST_GROOM_COMB_H

#include <stdbool.h>

#include "groom/field.h"

typedef struct cst_comb {
    double position[3], frame[9]; /* position (m) of the scalp, and rotation matrix whose columns are its axes */
    double down[3];               /* unit */
    bool parted;
    double parting;    /* the plane y = parting (m) */
    double whorl[3];   /* position of the whorl in the axes of the scalp (m) */
    double side, back; /* weights */
    double rise;       /* weight of the scalp's normal in a hair's direction at its root */
    bool grown;        /* true: hairs begin in the direction of growth; false: in the combed direction */
    double growth[3];  /* direction of growth in the axes of the scalp; its component along the scalp's normal is not used */
    bool to_tie;       /* combed to a hair tie instead */
    double tie[3];     /* world position of the hair tie (m) */
    double tie_reach;  /* a hair ends where its distance from the hair tie falls to this value (m) */
} cst_comb;

/* Computes the unit direction `t` of a hair at its root, if a direction of growth is given (comb->grown). */
void cst_comb_growth(const cst_comb *comb, const double normal[3], double t[3]);

/* Computes the path of a hair from its root, as (steps + 1) points at the distance `step` (m) from each other. Where possible,
 * the points of the path are at least `clearance` (m) away from all surfaces. To pass over hair that was laid before, the path
 * rises by up to `height` above the surface in its first centimetres. */
void cst_comb_way(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3], double clearance,
                  double height, double step, int steps, double *point);

/* Returns the length of a hair's path to the hair tie: at least one step, and a multiple of `step`. The path ends at its
 * first point whose distance from the hair tie is at most comb->tie_reach. If the path does not reach the hair tie within
 * `most` metres, it ends at its point nearest to the tie. */
double cst_comb_length_to_tie(const cst_comb *comb, cst_groom_field *field, const double root[3], const double normal[3],
                              double clearance, double step, double most);

/* Computes a unit vector at a point of a hair that points outward: away from a near surface, or horizontally away from the
 * scalp's axis if no surface is near. */
void cst_comb_outward(const cst_comb *comb, cst_groom_field *field, double reach, const double x[3], double out[3]);

#endif
