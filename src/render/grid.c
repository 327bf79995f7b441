#include "render/grid.h"

#include <math.h>
#include <string.h>

#define STRONG 0.11
#define WEAK 0.05

double cst_round_length(double x)
{
    if (!(x > 0.0) || !isfinite(x))
        return 1.0;
    double power = pow(10.0, floor(log10(x) + 1e-12)), lead = x / power * (1.0 + 1e-12);
    return (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0) * power;
}

/* How much of a line of some half width (pixels) is at a place; slope: change of the coordinate per pixel. */
static double line(double at, double slope, double width)
{
    double off = fabs(at - nearbyint(at)) / (slope > 1e-9 ? slope : 1e-9), cover = width + 0.5 - off;
    return cover < 0.0 ? 0.0 : cover < 1.0 ? cover : 1.0;
}

/* Ink of the strong and the weak lines across one coordinate. */
static double ink_at(const cst_grid *grid, double at, double slope)
{
    double strong = STRONG * line(at / (5.0 * grid->spacing), slope / (5.0 * grid->spacing), 0.35 * grid->density);
    double weak = WEAK * line(at / grid->spacing, slope / grid->spacing, 0.25 * grid->density);
    return strong > weak ? strong : weak;
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

/* Where the ray through a pixel meets the ground. False: it does not. */
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
    fade = fmin(fade, 1.0) * fmin(1.0, 0.5 * grid->spacing / fmax(slope[0], slope[1])); /* no lines closer than pixels */
    double ink = fmax(ink_at(grid, at[0], slope[0]), ink_at(grid, at[1], slope[1]));
    return cst_rgb_mix(grid->paper, grid->ink, (float)(fade * ink));
}
