/* Displacements of the shapes of a 3D scene in the step, and their effect on which touches are required and how far they are
 * searched.
 *
 * A touch is required if gap < m, or if gap + n.(way a - way b) - spread < COME_NEAR m, where m is the sum of both margins. A
 * touch can therefore be required only if
 *
 *     gap < m + beyond,       beyond = max(0, |way a - way b| + spread - (1 - COME_NEAR) m).
 *
 * Nearest points are searched up to the distance m + beyond + SLACK m, so that the result also holds for slightly different
 * displacements (kept_touches.h); since SLACK + COME_NEAR < 1, this costs nothing at rest. The effort of searching a pair of
 * segments depends on the distance m (1 + 2^level), with the least level for which beyond <= m 2^level: at one level, the touches
 * of a pair have the same bits for all displacements. */
#ifndef CST_COLLIDE_SPACE_MOTION_H
#define CST_COLLIDE_SPACE_MOTION_H

#include "collide/detect_space.h"

/* COME_NEAR and SLACK are fractions of the sum m of both margins. A pair whose gap stays above COME_NEAR m in the step is not
 * needed before the next step. */
#define CST_COME_NEAR 0.5
#define CST_WAY_SLACK 0.4
/* Slack for solids, whose displacements are known up to rounding, as a fraction of the smallest margin of a piece. The three
 * fractions add up to 1: CST_COME_NEAR + CST_WAY_SLACK + CST_SOLID_SLACK = 1. */
#define CST_SOLID_SLACK 0.1

static inline double cst_piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static inline double cst_solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

/* Returns the sum of margins of a touch or a pair: if b is a solid, its index is counted after the pieces. */
static inline double cst_pair_margin(const cst_space_scene *scene, int32_t a, int32_t b)
{
    return cst_piece_margin(scene, a) +
           (b < scene->pieces ? cst_piece_margin(scene, b) : cst_solid_margin(scene, b - scene->pieces));
}

/* Computes the displacement of the point at s of a piece, without the spread. The scene must have displacements. */
void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way);

/* Returns the largest difference between the displacement of a point in a part of a piece (cst_stretch) and the displacement at
 * its s. */
double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of);

/* Returns `beyond`, SLACK included, for two shapes with these displacements, uncertainties (spreads) and common margin. */
double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin);

/* Like cst_beyond_ways, for two parts of pieces; 0 if nothing moves. */
double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b);

/* Like cst_beyond_ways, for a solid and the part of a piece from the point x[0] at s[0] to x[1] at s[1]. */
double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid);

/* Returns true if a touch is required. */
bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch);

/* cst_effort_level returns the least level with beyond <= margin 2^level, or CST_EFFORT_ALONE if there is no margin;
 * cst_effort_of returns the effort of a level. */
enum { CST_EFFORT_ALONE = 1000 };
int cst_effort_level(double beyond, double margin);
double cst_effort_of(int level, double beyond, double margin);

#endif
