/* Points of the named curves of fiber_shapes.h (knots, hitches, coils), in the curve's own coordinates. A curve is infinite:
 * before the parameter `begin` and after the parameter `end` it continues as a straight line. */
#ifndef CST_SCENE_FIBER_CURVES_H
#define CST_SCENE_FIBER_CURVES_H

#include "scene/fiber_shapes.h"

typedef struct cst_fiber_curve {
    cst_fiber_shape_kind kind;
    double begin, end; /* straight tails before `begin`, after `end` */
    /* `bend`: radius (m) of an arc, of the loop of a knot, or of the turns of a helix. `rise`: increase of the height (m) of a
     * helix per radian. */
    double bend, rise;
    double amplitude, wave_number; /* m, 1/m */
    /* `braid`: length of the braid (m). `half_width`: half its strands' distance (m). */
    double braid, half_width;
    int crossings; /* number of crossings in the braid */
    /* `height`: in a figure-of-eight knot, height (m) of the crossings above the middle plane; in a clove hitch, distance (m)
     * along the post from the tails to the second turn. `lift`: distance (m) by which the diagonal part of a clove hitch, between
     * its two turns, is lifted radially off the post. */
    double height, lift;
    /* a clove hitch advances along its post only in certain intervals of the angle around the post; half width (rad) of these
     * intervals */
    double window;
    double top; /* length of the helix of a coil (m) */
} cst_fiber_curve;

/* The definition must be valid. `length`: of the fiber (m). */
cst_fiber_curve cst_fiber_curve_of(const cst_fiber_shape_def *def, double length);

void cst_fiber_curve_at(const cst_fiber_curve *curve, double t, double *x, double *dx);

#endif
