/* Search distance for contacts of two moving shapes in 3D.
 *
 * Each shape has a contact margin. A search must return a contact of two shapes in two cases: its gap is below the sum M of the
 * two margins, or the displacements in the step may reduce its gap below M/2. To find all of these contacts, the search covers
 * gaps up to M + B, which depends on:
 *     `M`: sum of the two contact margins (m).
 *     `B`: search distance beyond the margins (m).
 *     `w`: relative displacement in the step (m).
 *     `u`: sum of the uncertainties of both displacements (m).
 *     `B = max(0, |w|+u-(1-CST_COME_NEAR-CST_WAY_SLACK)*M)`.
 *
 * For shapes at rest, the search distance is M. The term with CST_WAY_SLACK makes the contacts valid also for slightly different
 * displacements (kept_touches.h).
 *
 * The number of start points of Newton's method follows from the effort level of the two shapes: the least integer `level` with
 * 2^level M >= B. Two searches with different displacements but the same effort level find the same contacts of the two shapes,
 * bit by bit. */
#ifndef CST_COLLIDE_SPACE_MOTION_H
#define CST_COLLIDE_SPACE_MOTION_H

#include "collide/detect_space.h"

/* CST_COME_NEAR: a contact is not needed if its gap stays above this fraction of the sum of both margins during the step.
 * CST_WAY_SLACK: length that is added to the relative displacement of two shapes in a search, as a fraction of the sum of both
 * margins, so that a later search with a slightly larger displacement can use the contacts that were found. */
#define CST_COME_NEAR 0.5
#define CST_WAY_SLACK 0.4
/* CST_SOLID_SLACK: largest change of the displacement of a solid after which stored contacts are still used (kept_touches.h), as
 * a fraction of the smallest margin of a centreline piece. It is small, because displacements of solids are known up to rounding
 * errors. `CST_COME_NEAR+CST_WAY_SLACK+CST_SOLID_SLACK = 1`. */
#define CST_SOLID_SLACK 0.1

static inline double cst_piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static inline double cst_solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

/* Returns the sum of the contact margins (m) of the centreline piece a and the shape b. The number b is the index of a piece, or
 * the number of all pieces plus the index of a solid. */
static inline double cst_pair_margin(const cst_space_scene *scene, int32_t a, int32_t b)
{
    return cst_piece_margin(scene, a) +
           (b < scene->pieces ? cst_piece_margin(scene, b) : cst_solid_margin(scene, b - scene->pieces));
}

/* Computes the displacement (m) of a centreline piece at the arc length s, without its uncertainty. The scene must contain
 * displacements. */
void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way);

/* Returns an upper bound (m) for the difference between the displacement of any point in one part of a centreline piece and the
 * displacement of the middle of this part. The bound includes the uncertainty of the displacement. */
double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of);

/* Returns B (m), by which the search distance of two shapes exceeds the sum of their margins. The arguments are the displacements
 * way_a and way_b of the two shapes, the uncertainties spread_a and spread_b of the displacements, and the sum `margin` of both
 * margins (all in m). */
double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin);

/* Returns the length (m) by which the search distance of two parts of centreline pieces exceeds the sum of their margins. Returns
 * 0 if no shape of the scene moves. */
double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b);

/* Returns the length (m) by which the search distance of a solid and a part of a centreline piece exceeds the sum of their
 * margins. The part of the centreline piece leads from the point x[0] at the arc length s[0] to the point x[1] at the arc length
 * s[1]. */
double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid);

/* Returns true if a search must return the contact `touch`: its gap is below the sum of the margins of its two shapes, or the
 * displacements of the scene in the step may reduce its gap below half this sum. */
bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch);

/* The function cst_effort_level returns the effort level of two shapes: the least integer `level` with 2^level margin >= beyond.
 * `margin`: sum of both margins (m); without margins, the level is CST_EFFORT_ALONE. `beyond`: search distance beyond the margins
 * (m). The function cst_effort_of returns the gap (m) up to which the start points of Newton's method are dense enough. */
enum { CST_EFFORT_ALONE = 1000 };
int cst_effort_level(double beyond, double margin);
double cst_effort_of(int level, double beyond, double margin);

#endif
