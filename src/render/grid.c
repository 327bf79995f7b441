#include "render/grid.h"

#include <math.h>
#include <string.h>

#define STRONG 0.11f
#define WEAK 0.05f

double cst_round_length(double x)
{
    if (!(x > 0.0) || !isfinite(x))
        return 1.0;
    double power = pow(10.0, floor(log10(x) + 1e-12)), lead = x / power * (1.0 + 1e-12);
    return (lead >= 5.0 ? 5.0 : lead >= 2.0 ? 2.0 : 1.0) * power;
}

cst_grid cst_grid_make(const cst_view *view, const cst_theme *theme, bool drawn, double metres, double density,
                       const double *ground, double reach)
{
    cst_grid grid = {.view = *view,
                     .paper = theme->paper,
                     .ink = theme->ink,
                     .drawn = drawn,
                     .spacing = cst_round_length(metres) / 5.0,
                     .density = density,
                     .reach = reach};
    memcpy(grid.ground, ground, sizeof grid.ground);
    return grid;
}

/* How much of a line of some half width (pixels) is at a place; slope: change of the coordinate per pixel. */
static double line(double at, double slope, double width)
{
    double off = fabs(at - nearbyint(at)) / fmax(slope, 1e-9);
    return fmin(fmax(width + 0.5 - off, 0.0), 1.0);
}

static double lines(const double *at, const double *slope, double spacing, double width)
{
    double most = 0.0;
    for (int k = 0; k < 2; k++)
        most = fmax(most, line(at[k] / spacing, slope[k] / spacing, width));
    return most;
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
    double at[2], slope[2], fade = 1.0;
    if (grid->view.perspective) {
        double right[2], below[2];
        if (!on_ground(grid, x, y, at) || !on_ground(grid, x + 1.0, y, right) || !on_ground(grid, x, y + 1.0, below))
            return grid->paper;
        for (int k = 0; k < 2; k++)
            slope[k] = fabs(right[k] - at[k]) + fabs(below[k] - at[k]);
        double off = hypot(at[0] - grid->ground[0], at[1] - grid->ground[1]) / grid->reach;
        fade = fmin(fmax((1.0 - off) / 0.6, 0.0), 1.0);
        fade *= fmin(1.0, 0.5 * grid->spacing / fmax(slope[0], slope[1])); /* squares smaller than pixels are no lines any more */
    } else {
        at[0] = grid->view.eye[0] + (x - 0.5 * grid->view.width) / grid->view.focal;
        at[1] = grid->view.eye[1] + (0.5 * grid->view.height - y) / grid->view.focal;
        slope[0] = slope[1] = 1.0 / grid->view.focal;
    }
    double strong = lines(at, slope, 5.0 * grid->spacing, 0.35 * grid->density);
    double weak = lines(at, slope, grid->spacing, 0.25 * grid->density);
    return cst_rgb_mix(grid->paper, grid->ink, (float)(fade * fmax((double)STRONG * strong, (double)WEAK * weak)));
}
