/* The curves of fiber_shapes.h in their own coordinates, smooth and infinite: before `begin` and beyond `end` they continue
 * straight, with the speed they have there. */
#ifndef CST_SCENE_FIBER_CURVES_H
#define CST_SCENE_FIBER_CURVES_H

#include "scene/fiber_shapes.h"

typedef struct cst_fiber_curve {
    cst_fiber_shape_kind kind;
    double begin, end;             /* range of the parameter in which the curve is not straight */
    double bend, rise;             /* m: radius of loops or of turns around a post; rise per radian of turn */
    double amplitude, wave_number; /* m, 1/m */
    double braid, half_width;      /* m: length of the braid of an overhand knot, and half the distance between its two strands */
    int crossings;                 /* of it */
    /* m: height of crossings above and below the middle plane; clove hitch: distances of strands and of layers */
    double height, lift;
    double window; /* rad: clove hitch: half the angle around the post in which its strands cross */
    double top;    /* m: coil: length of its helix */
} cst_fiber_curve;

/* `length`: length of the fiber. The definition must be valid. */
cst_fiber_curve cst_fiber_curve_of(const cst_fiber_shape_def *def, double length);

/* Computes the point and its derivative at the parameter t. */
void cst_fiber_curve_at(const cst_fiber_curve *curve, double t, double *x, double *dx);

#endif
