/* Displacements of the shapes of a 3D scene in the step. The displacements determine which contacts a search must return, and up
 * to which gap contacts are searched.
 *
 * Each shape has a margin. A search must return a contact of two shapes if its gap is below the sum of their margins. A search
 * must also return a contact of two shapes if the displacements of the step, with their uncertainty, may reduce its gap below
 * half the sum of their margins (CST_COME_NEAR). Contacts of two shapes are searched up to a gap of M + beyond, where M is the
 * sum of their margins and `beyond` an additional distance for the motion in the step. The distance `beyond` is the relative
 * displacement of the two shapes with its uncertainty, minus half the sum of their margins, and at least 0.
 *
 * The contacts found should also be valid for slightly different displacements (kept_touches.h), so the search adds 0.4 times the
 * sum of the margins of the two shapes (CST_WAY_SLACK) to their relative displacement. For shapes at rest, the distance `beyond`
 * is max(0, 0.4 M - 0.5 M) = 0, where M is the sum of their margins. The number of start points of Newton's method is determined
 * by an integer `level`, the search effort of the two shapes. The search effort `level` is the least integer for which 2^level
 * times the sum of the margins of the two shapes is at least the distance `beyond`. Two searches with different displacements of
 * two shapes, but with the same search effort `level` (number of start points), find the same contacts of these shapes, bit by
 * bit. */
#ifndef CST_COLLIDE_SPACE_MOTION_H
#define CST_COLLIDE_SPACE_MOTION_H

#include "collide/detect_space.h"

/* CST_COME_NEAR and CST_WAY_SLACK are fractions of the sum of the margins of two shapes. CST_COME_NEAR is 1/2, because a contact
 * is not needed in a step during which its gap stays above half the sum of the margins of its two shapes. */
#define CST_COME_NEAR 0.5
#define CST_WAY_SLACK 0.4
/* CST_SOLID_SLACK: tolerance for changes of the displacements of solids between a search and a later search that uses its
 * contacts (kept_touches.h), as a fraction of the smallest margin of a centreline piece. The tolerance CST_SOLID_SLACK is small,
 * because the displacements of solids are known up to rounding errors. `CST_COME_NEAR+CST_WAY_SLACK+CST_SOLID_SLACK = 1`. */
#define CST_SOLID_SLACK 0.1

static inline double cst_piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static inline double cst_solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

/* Returns the sum of the margins of two shapes: a is the index of a centreline piece; b is the index of a piece, or the number of
 * all pieces plus the index of a solid. */
static inline double cst_pair_margin(const cst_space_scene *scene, int32_t a, int32_t b)
{
    return cst_piece_margin(scene, a) +
           (b < scene->pieces ? cst_piece_margin(scene, b) : cst_solid_margin(scene, b - scene->pieces));
}

/* Computes the displacement of a centreline piece at the arc length s, without its uncertainty. The scene must have
 * displacements. */
void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way);

/* Returns an upper bound for the difference between the displacement of any point in a part of a centreline piece and the
 * displacement of the middle of this part; the uncertainty of the displacement of the piece is included. */
double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of);

/* Returns the distance `beyond` (m) for two shapes with the given displacements: contacts of the two shapes are searched up to a
 * gap of margin + beyond. The distance `beyond` includes the tolerance CST_WAY_SLACK for changes of the displacements. The
 * arguments spread_a and spread_b are the uncertainties of the two displacements (m), and `margin` is the sum of the contact
 * margins of both shapes. */
double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin);

/* Returns the distance `beyond` (m) for two parts of centreline pieces: contacts of the two parts are searched up to a gap of the
 * sum of both margins plus `beyond`. Returns 0 if no shape of the scene moves. */
double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b);

/* Returns the distance `beyond` (m) for a solid and a part of a centreline piece: their contacts are searched up to a gap of the
 * sum of both margins plus `beyond`. The given part of the centreline piece leads from the point x[0] at the arc length s[0] to
 * the point x[1] at the arc length s[1]. */
double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid);

/* Returns true if a search must return the contact `touch`: its gap is below the sum of the margins of its two shapes, or the
 * displacements in the step (given by `scene`) may reduce its gap below half this sum. */
bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch);

/* The function cst_effort_level returns the search effort of a pair of shapes: the least integer `level` for which margin *
 * 2^level is at least `beyond`, the search distance beyond the margins. `margin`: sum of both margins. Without a margin:
 * CST_EFFORT_ALONE. The function cst_effort_of returns the search distance (m) that determines the number of start points in the
 * search for contacts of two shapes. */
enum { CST_EFFORT_ALONE = 1000 };
int cst_effort_level(double beyond, double margin);
double cst_effort_of(int level, double beyond, double margin);

#endif
