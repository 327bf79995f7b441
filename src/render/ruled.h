/* Draws square grids: computes the darkness of the grid lines at a point, for the background of a picture and for planes in
 * 3D. */
#ifndef CST_RENDER_RULED_H
#define CST_RENDER_RULED_H

#include <math.h>

/* Returns the share (0 to 1) of a pixel that the nearest grid line covers; grid lines are at integer values of the coordinate.
 * `at`: coordinate of the pixel; `slope`: change of the coordinate per pixel; `width`: half the width of a line in pixels. */
static inline double cst_ruled_line(double at, double slope, double width)
{
    double off = fabs(at - nearbyint(at)) / (slope > 1e-9 ? slope : 1e-9), cover = width + 0.5 - off;
    return cover < 0.0 ? 0.0 : cover < 1.0 ? cover : 1.0;
}

/* Returns the weight (0 to 1) with which the line colour is mixed into the colour of a pixel, for the grid lines perpendicular to
 * one axis. `at`: coordinate (m) of the pixel along this axis; `slope`: change of the coordinate per pixel; `density`: pixels per
 * point (the unit of line widths and letters). */
static inline double cst_ruled(double spacing, double density, double at, double slope)
{
    double strong = 0.11 * cst_ruled_line(at / (5.0 * spacing), slope / (5.0 * spacing), 0.35 * density);
    double weak = 0.05 * cst_ruled_line(at / spacing, slope / spacing, 0.25 * density);
    return strong > weak ? strong : weak;
}

#endif
