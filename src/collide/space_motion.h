/* Search distance for contacts of two moving shapes in 3D.
 *
 * Each shape has a contact margin. Let M be the sum of the margins of two shapes. A search must return each contact of the two
 * shapes whose gap is below M, and each contact whose gap may fall below M/2 by the displacements in the step. To find all
 * contacts that it must return, a search covers all gaps up to M + B, where M is the sum of the margins and B is the following
 * distance:
 *     `B = max(0, |w|+u-(1-CST_COME_NEAR-CST_WAY_SLACK)*M)`.
 *     `B`: distance beyond the margins (m).
 *     `w`: relative displacement (m).
 *     `u`: uncertainty of w (m).
 *
 * A search starts Newton's method from several points. The number of start points depends on the search effort of the two shapes.
 * The search effort is the least integer `level` >= 0 with 2^level M >= B, where M is the sum of the margins and M + B the
 * largest gap that the search covers. Two searches with the same search effort find the same contacts of the two shapes, bit by
 * bit, even if their displacements differ. */
#ifndef CST_COLLIDE_SPACE_MOTION_H
#define CST_COLLIDE_SPACE_MOTION_H

#include "collide/detect_space.h"

/* CST_COME_NEAR: a contact whose gap is larger than M, the sum of both margins, is returned only if its gap may fall below
 * CST_COME_NEAR * M during the step. CST_WAY_SLACK: a search assumes that the relative displacement of two shapes is larger by
 * this fraction of the sum of both margins, so that its contacts are also valid for slightly larger displacements
 * (kept_touches.h). */
#define CST_COME_NEAR 0.5
#define CST_WAY_SLACK 0.4
/* CST_SOLID_SLACK: largest change of a solid's displacement for which the stored contacts are valid (kept_touches.h), as a
 * fraction of the smallest margin of a centreline piece. `CST_COME_NEAR+CST_WAY_SLACK+CST_SOLID_SLACK = 1`. */
#define CST_SOLID_SLACK 0.1

static inline double cst_piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static inline double cst_solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

/* Returns the sum of the contact margins (m) of the centreline piece a and the shape b. `b`: index of a piece, or number of all
 * pieces plus the index of a solid. */
static inline double cst_pair_margin(const cst_space_scene *scene, int32_t a, int32_t b)
{
    return cst_piece_margin(scene, a) +
           (b < scene->pieces ? cst_piece_margin(scene, b) : cst_solid_margin(scene, b - scene->pieces));
}

/* Computes the displacement (m) in the step of the point with the arc length s on a centreline piece, by linear interpolation
 * between the ends of the piece. The scene must contain displacements. */
void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way);

/* Returns an upper bound (m) for the difference between the displacement of any point of one part of a centreline piece and the
 * interpolated displacement of the middle of this part. */
double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of);

/* Returns the search distance beyond the margins (m) for two shapes with the displacements way_a and way_b, and the uncertainties
 * spread_a and spread_b of the displacements (m). `margin`: sum of both margins (m). */
double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin);

/* Returns the search distance beyond the margins (m) for two parts of centreline pieces; 0 if no shape of the scene moves. */
double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b);

/* Returns the search distance beyond the margins (m) for a solid and a part of a centreline piece. `s`, `x`: arc lengths (m) and
 * points (m) at the two ends of the part of the centreline piece. */
double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid);

/* Returns true if a search must return the contact `touch`: its gap is below the sum of both margins, or the displacements in the
 * step may reduce its gap below half the sum of both margins. */
bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch);

/* The function cst_effort_level returns the search effort of two shapes: the least integer `level` >= 0 with 2^level margin >=
 * beyond, where `margin` is the sum of both margins and `beyond` the search distance beyond them. If `margin` is 0, the function
 * cst_effort_level returns CST_EFFORT_ALONE. The function cst_effort_of returns the gap (m) up to which the start points of
 * Newton's method are dense enough to find all contacts. */
enum { CST_EFFORT_ALONE = 1000 };
int cst_effort_level(double beyond, double margin);
double cst_effort_of(int level, double beyond, double margin);

#endif
