#include "collide/space_motion.h"

#include <math.h>

#include "collide/distance_solid_space.h"
#include "math/vector3.h"

void cst_piece_way_at(const cst_space_scene *scene, int32_t piece, double s, double *way)
{
    const cst_piece_way *of = &scene->way[piece];
    const double length = scene->piece[piece].length, part = length > 0.0 ? s / length : 0.0;
    for (int k = 0; k < 3; ++k)
        way[k] = of->way[0][k] + part * (of->way[1][k] - of->way[0][k]);
}

double cst_stretch_spread(const cst_space_scene *scene, const cst_stretch *of)
{
    const cst_piece_way *way = &scene->way[of->piece];
    double turn = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double half = 0.5 * (way->way[1][k] - way->way[0][k]) / of->count;
        turn += half * half;
    }
    return sqrt(turn) + way->spread;
}

static double beyond(double way, double margin)
{
    return fmax(0.0, way - (1.0 - CST_COME_NEAR - CST_WAY_SLACK) * margin);
}

double cst_beyond_ways(const double *way_a, double spread_a, const double *way_b, double spread_b, double margin)
{
    double apart[3];
    cst_subtract3(way_a, way_b, apart);
    return beyond(sqrt(cst_dot3(apart, apart)) + spread_a + spread_b, margin);
}

double cst_beyond_stretch(const cst_space_scene *scene, const cst_stretch *a, const cst_stretch *b)
{
    double mine[3], its[3];
    if (!scene->way)
        return 0.0;
    cst_piece_way_at(scene, a->piece, a->s, mine);
    cst_piece_way_at(scene, b->piece, b->s, its);
    return cst_beyond_ways(mine, cst_stretch_spread(scene, a), its, cst_stretch_spread(scene, b),
                           cst_pair_margin(scene, a->piece, b->piece));
}

double cst_beyond_solid(const cst_space_scene *scene, int32_t piece, const double *s, const double x[2][3], int32_t solid)
{
    double most = 0.0;
    if (!scene->way || !scene->solid_way)
        return 0.0;
    for (int end = 0; end < 2; ++end) {
        double mine[3], its[3], apart[3];
        cst_piece_way_at(scene, piece, s[end], mine);
        cst_solid_way_at(&scene->solid[solid], &scene->solid_way[solid], x[end], its);
        cst_subtract3(mine, its, apart);
        most = fmax(most, cst_dot3(apart, apart));
    }
    const double spread = scene->way[piece].spread + scene->solid_way[solid].spread;
    return beyond(sqrt(most) + spread, cst_pair_margin(scene, piece, scene->pieces + solid));
}

bool cst_touch_wanted(const cst_space_scene *scene, const cst_touch_space *touch)
{
    const double margin = cst_pair_margin(scene, touch->a, touch->b);
    if (touch->gap < margin || !scene->way)
        return touch->gap < margin;
    double mine[3], its[3], apart[3], spread = scene->way[touch->a].spread;
    cst_piece_way_at(scene, touch->a, touch->s_a, mine);
    if (touch->b < scene->pieces) {
        cst_piece_way_at(scene, touch->b, touch->s_b, its);
        spread += scene->way[touch->b].spread;
    } else {
        const int32_t solid = touch->b - scene->pieces;
        cst_solid_way_at(&scene->solid[solid], &scene->solid_way[solid], touch->x_b, its);
        spread += scene->solid_way[solid].spread;
    }
    cst_subtract3(mine, its, apart);
    return touch->gap + cst_dot3(touch->normal, apart) - spread < CST_COME_NEAR * margin;
}

int cst_effort_level(double beyond_margin, double margin)
{
    enum { MOST = 60 };
    if (!(margin > 0.0))
        return CST_EFFORT_ALONE;
    int level = 0;
    for (double reach = margin; level < MOST && reach < beyond_margin; reach *= 2.0)
        ++level;
    return level;
}

double cst_effort_of(int level, double beyond_margin, double margin)
{
    return margin + (level == CST_EFFORT_ALONE ? beyond_margin : ldexp(margin, level));
}
