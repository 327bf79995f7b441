/* Computes points of the named curves of fiber_shapes.h (knots, hitches, coils), each in its own coordinates. The curves are
 * smooth and infinite: before the parameter `begin` and after the parameter `end` they continue as straight lines. */
#ifndef CST_SCENE_FIBER_CURVES_H
#define CST_SCENE_FIBER_CURVES_H

#include "scene/fiber_shapes.h"

typedef struct cst_fiber_curve {
    cst_fiber_shape_kind kind;
    double begin, end; /* range of the curve parameter in which the curve is not straight */
    /* `bend`: radius (m) of the loops of a knot and of the turns of a helix. `rise`: height (m) that a helix gains per radian of
     * its angle. */
    double bend, rise;
    double amplitude, wave_number; /* m, 1/m */
    /* `braid`: length of the braid of an overhand knot, m. `half_width`: half the distance of the two strands of the braid, m. */
    double braid, half_width;
    int crossings; /* number of crossings in the braid */
    /* `height`: height of strands above the middle plane of a knot, m; on a clove hitch, height along the post.
     * `lift`: radial distance by which the diagonal part of a clove hitch is lifted over the other parts, m. */
    double height, lift;
    /* angle (rad) around the post, before and after a crossing, in which the height of a clove hitch changes */
    double window;
    double top; /* length of a coil's helix (m) */
} cst_fiber_curve;

/* `length`: length of the fiber. The definition must be valid. */
cst_fiber_curve cst_fiber_curve_of(const cst_fiber_shape_def *def, double length);

/* Computes the point of the curve and its derivative at the parameter t. */
void cst_fiber_curve_at(const cst_fiber_curve *curve, double t, double *x, double *dx);

#endif
