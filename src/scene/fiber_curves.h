/* Points of the named curves of fiber_shapes.h (knots, hitches, coils), in the curve's own coordinates. A curve is smooth and
 * infinite: before the parameter `begin` and after the parameter `end` it continues as a straight line. */
#ifndef CST_SCENE_FIBER_CURVES_H
#define CST_SCENE_FIBER_CURVES_H

#include "scene/fiber_shapes.h"

typedef struct cst_fiber_curve {
    cst_fiber_shape_kind kind;
    double begin, end; /* parameters at which the straight first tail ends and the straight last tail begins */
    /* `bend`: radius (m) of the loop of a knot, or of the turns of a helix. `rise`: height (m) of a helix per radian. */
    double bend, rise;
    double amplitude, wave_number; /* m, 1/m */
    /* `braid`: length (m) of the braid of an overhand knot. `half_width`: half the distance (m) of the two strands of the
     * braid. */
    double braid, half_width;
    int crossings; /* number of crossings in the braid */
    /* `height`: height (m) of the crossings above the middle plane of a knot; for a clove hitch, height of the second turn
     * along the post. `lift`: radial distance (m) by which the diagonal of a clove hitch is lifted. */
    double height, lift;
    /* half width (rad) of the window of angles around the post in which a clove hitch changes its height */
    double window;
    double top; /* length (m) of the helix of a coil, without its tail */
} cst_fiber_curve;

/* Prepares the curve of a valid shape. `length`: length (m) of the fiber. */
cst_fiber_curve cst_fiber_curve_of(const cst_fiber_shape_def *def, double length);

/* Computes the point of the curve at the parameter t, and its derivative. */
void cst_fiber_curve_at(const cst_fiber_curve *curve, double t, double *x, double *dx);

#endif
