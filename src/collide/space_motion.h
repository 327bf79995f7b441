/* How far shapes of a scene in space go in the step, and what that means for which touches are wanted and where they are sought.
 *
 * A touch is wanted if gap < m, or if gap + n.(way a - way b) - spread < COME_NEAR m, with m the margins of both: so only if
 *
 *     gap < m + beyond,       beyond = max(0, |way a - way b| + spread - (1 - COME_NEAR) m).
 *
 * Nearest points are sought as far as that, and by SLACK m farther, so that the answer also holds for ways that are a little other
 * (kept_touches.h): with SLACK + COME_NEAR < 1, at rest that costs nothing. How hard a pair of segments is searched goes by
 * steps of the distance, the effort, m (1 + 2^level) for the least level with beyond <= m 2^level: of one level, the touches of a
 * pair have the same bits whatever the ways. */
#ifndef CST_COLLIDE_SPACE_MOTION_H
#define CST_COLLIDE_SPACE_MOTION_H

#include "collide/detect_space.h"

/* Of the margins. What comes no nearer than COME_NEAR in the step need not be known before the next one. */
#define CST_COME_NEAR 0.5
#define CST_WAY_SLACK 0.4
/* Of the smallest margin of a piece: what is left of COME_NEAR for solids, whose ways are known but for rounding. */
#define CST_SOLID_SLACK 0.1

static inline double cst_piece_margin(const cst_space_scene *scene, int32_t piece)
{
    return scene->margin ? scene->margin[piece] : 0.0;
}

static inline double cst_solid_margin(const cst_space_scene *scene, int32_t solid)
{
    return scene->solid_margin ? scene->solid_margin[solid] : 0.0;
}

/* The margins of a touch or of a pair: b counts on from the pieces if it is a solid. */
static inline double cst_pair_margin(const cst_space_scene *scene, int32_t a, int32_t b)
{
    return cst_piece_margin(scene, a) +
           (b < scene->pieces ? cst_piece_margin(scene, b) : cst_solid_margin(scene, b - scene->pieces));
}

/* Where the point at s of a piece goes, but for the spread. The scene has ways. */
void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way);

/* By how much its points go otherwise than the one at s. */
double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of);

/* `beyond`, SLACK included, of two that go by these ways, give or take their spreads, and have this margin together. */
double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin);

/* The same of two stretches; 0 if nothing moves. */
double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b);

/* The same of the stretch of a piece from the point x[0] at s[0] to x[1] at s[1], and a solid. */
double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid);

/* Is a touch wanted? */
bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch);

/* The least level with beyond <= margin 2^level, CST_EFFORT_ALONE if there is no margin to count in; and its effort. */
enum { CST_EFFORT_ALONE = 1000 };
int cst_effort_level(double beyond, double margin);
double cst_effort_of(int level, double beyond, double margin);

#endif
