/* Finds the contacts of the features of a body with a cylinder. The cylinder is not approximated by a mesh: it has a round side,
 * flat ends and circular rims, so that bodies roll on it smoothly.
 *
 * A vertex of the body touches the round side or a flat end of the cylinder, along the normal of that surface.
 *
 * An edge touches the round side at its point nearest to the cylinder's axis, among its points between the planes of the
 * cylinder's ends. An edge parallel to the axis touches the round side at both ends of its part between the planes of the
 * cylinder's ends. An edge touches an end of the cylinder where the edge crosses the rim.
 *
 * A face touches a rim at the rim's point farthest towards the face, or at several points around the rim if the face lies flat on
 * the end of the cylinder.
 *
 * A box that lies on a cylinder has contacts at both ends of the line along which they touch. A cylinder that stands under a
 * plate touches the plate at the cylinder's rim. */
#ifndef CST_COLLIDE_FEATURE_CYLINDER_H
#define CST_COLLIDE_FEATURE_CYLINDER_H

#include "collide/feature_touch.h"

typedef struct cst_moving_cylinder {
    int32_t owner;
    double radius, half; /* radius and half height of the cylinder (m), whose axis is the third axis of its frame */
    double rounding;
    double x[2][3], R[2][9];
} cst_moving_cylinder;

cst_box cst_moving_cylinder_box(const cst_moving_cylinder *cylinder);

/* Adds the contacts of the features of a body (its patch) with the cylinder to the list `heap`. Feature a of a contact belongs to
 * the body; feature b is the whole cylinder (CST_FEATURE_BODY). Returns false if memory ran out. */
bool cst_feature_cylinder_touches(const cst_feature_patch *a, const cst_moving_cylinder *cylinder, const cst_feature_rules *rules,
                                  cst_touch_heap *heap);

#endif
