/* Squared paper: how much ink is at a place, for the paper behind a picture and for planes in space. */
#ifndef CST_RENDER_RULED_H
#define CST_RENDER_RULED_H

#include <math.h>

/* How much of a line of some half width (pixels) is at a place; slope: change of the coordinate per pixel. */
static inline double cst_ruled_line(double at, double slope, double width)
{
    double off = fabs(at - nearbyint(at)) / (slope > 1e-9 ? slope : 1e-9), cover = width + 0.5 - off;
    return cover < 0.0 ? 0.0 : cover < 1.0 ? cover : 1.0;
}

/* Ink of the strong and the weak lines across one coordinate (m). density: pixels of the picture per point of the page. */
static inline double cst_ruled(double spacing, double density, double at, double slope)
{
    double strong = 0.11 * cst_ruled_line(at / (5.0 * spacing), slope / (5.0 * spacing), 0.35 * density);
    double weak = 0.05 * cst_ruled_line(at / spacing, slope / spacing, 0.25 * density);
    return strong > weak ? strong : weak;
}

#endif
