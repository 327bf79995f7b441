/* Features of a body on a cylinder: round side, flat ends, rims, without facets, so that what rolls on it rolls smoothly.
 *
 *   vertex      on the side or an end, along that normal
 *   edge        the nearest point of its part between the ends' planes to the axis, on the side (both ends of that part where the edge
 *               lies along the axis), and where the edge crosses a rim, on the end
 *   face        over a rim: its point that is farthest towards the face; RIM_POINTS of it where the face lies on the end
 *
 * A box that lies on a cylinder touches at both ends of their common line, a cylinder that stands under a plate at its rim. */
#ifndef CST_COLLIDE_FEATURE_CYLINDER_H
#define CST_COLLIDE_FEATURE_CYLINDER_H

#include "collide/feature_touch.h"

typedef struct cst_moving_cylinder {
    int32_t owner;
    double radius, half; /* m: half the height, along the third axis */
    double rounding;
    double x[2][3], R[2][9];
} cst_moving_cylinder;

cst_box cst_moving_cylinder_box(const cst_moving_cylinder *cylinder);

/* Touches of the patch (side a) with the cylinder (side b: CST_FEATURE_BODY) are added. False: out of memory. */
bool cst_feature_cylinder_touches(const cst_feature_patch *a, const cst_moving_cylinder *cylinder, const cst_feature_rules *rules,
                                  cst_touch_heap *heap);

#endif
