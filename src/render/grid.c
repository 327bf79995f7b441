#include "render/grid.h"

#include <math.h>
#include <string.h>

#include "render/ruled.h"
#include "render/shadow.h"

#define GROUND_SHADE 0.2f /* fraction of the background's lightness that a shadow removes */

double cst_round_length(double x)
{
    if (!(x > 0.0) || !isfinite(x))
        return 1.0;
    double power = pow(10.0, floor(log10(x) + 1e-12)), lead = x / power * (1.0 + 1e-12);
    return (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0) * power;
}

static double ink_at(const cst_grid *grid, double at, double slope)
{
    return cst_ruled(grid->spacing, grid->density, at, slope);
}

cst_grid cst_grid_make(const cst_view *view, const cst_theme *theme, bool drawn, double metres, double density,
                       const double *ground, double reach, float *room)
{
    cst_grid grid = {.view = *view,
                     .paper = theme->paper,
                     .ink = theme->ink,
                     .drawn = drawn,
                     .spacing = cst_round_length(metres) / 5.0,
                     .density = density,
                     .reach = reach};
    memcpy(grid.ground, ground, sizeof grid.ground);
    int width = (int)view->width, height = (int)view->height;
    for (int x = 0; x < width && !view->perspective; x++)
        room[x] = (float)ink_at(&grid, view->eye[0] + (x + 0.5 - 0.5 * width) / view->focal, 1.0 / view->focal);
    for (int y = 0; y < height && !view->perspective; y++)
        room[width + y] = (float)ink_at(&grid, view->eye[1] + (0.5 * height - y - 0.5) / view->focal, 1.0 / view->focal);
    grid.column = room;
    grid.row = room + width;
    return grid;
}

/* Computes where the ray through a pixel hits the ground. Returns false if it does not. */
static bool on_ground(const cst_grid *grid, double x, double y, double *at)
{
    const cst_view *view = &grid->view;
    double across = (x - 0.5 * view->width) / view->focal, up = (0.5 * view->height - y) / view->focal, direction[3];
    for (int k = 0; k < 3; k++)
        direction[k] = view->forward[k] + across * view->right[k] + up * view->up[k];
    double distance = (grid->ground[2] - view->eye[2]) / direction[2];
    if (!(distance > 0.0) || !isfinite(distance))
        return false;
    at[0] = view->eye[0] + distance * direction[0];
    at[1] = view->eye[1] + distance * direction[1];
    return true;
}

cst_rgb cst_grid_colour(const void *user, double x, double y)
{
    const cst_grid *grid = user;
    if (!grid->drawn)
        return grid->paper;
    if (!grid->view.perspective) {
        float across = grid->column[(int)x], along = grid->row[(int)y];
        return cst_rgb_mix(grid->paper, grid->ink, across > along ? across : along);
    }
    double at[2], right[2], below[2], slope[2];
    if (!on_ground(grid, x, y, at))
        return grid->paper;
    double off = hypot(at[0] - grid->ground[0], at[1] - grid->ground[1]) / grid->reach, fade = (1.0 - off) / 0.6;
    if (fade <= 0.0 || !on_ground(grid, x + 1.0, y, right) || !on_ground(grid, x, y + 1.0, below))
        return grid->paper;
    for (int k = 0; k < 2; k++)
        slope[k] = fabs(right[k] - at[k]) + fabs(below[k] - at[k]);
    const double near = fmin(fade, 1.0);
    fade = near * fmin(1.0, 0.5 * grid->spacing / fmax(slope[0], slope[1])); /* no lines closer than a pixel */
    double ink = fmax(ink_at(grid, at[0], slope[0]), ink_at(grid, at[1], slope[1]));
    const double place[3] = {at[0], at[1], grid->ground[2]}, up[3] = {0.0, 0.0, 1.0};
    const bool above = grid->view.eye[2] > grid->ground[2];
    const float light =
        1.0f - GROUND_SHADE * (float)near * (grid->shadow && above ? cst_shadow_at(grid->shadow, place, up) : 0.0f);
    const cst_rgb colour = cst_rgb_mix(grid->paper, grid->ink, (float)(fade * ink));
    return (cst_rgb){light * colour.r, light * colour.g, light * colour.b};
}
