/* Finds the contacts of the vertices, edges and faces of a body with a cylinder. The cylinder is not approximated by a mesh, so
 * that bodies roll on it smoothly.
 *
 * A vertex touches the round side or a flat end of the cylinder, along the normal of that surface. A vertex beyond both touches
 * the rim between them if the body or the cylinder is rounded.
 *
 * An edge touches the round side at the point of the edge nearest to the cylinder's axis. An edge parallel to the axis touches
 * the round side at both ends of its part between the planes of the flat ends. An edge touches a flat end of the cylinder where
 * it crosses the rim.
 *
 * A face touches a rim at the point of the rim that is nearest to the plane of the face or deepest below it. A face that lies
 * flat on an end of the cylinder has contacts at several points around the rim. */
#ifndef CST_COLLIDE_FEATURE_CYLINDER_H
#define CST_COLLIDE_FEATURE_CYLINDER_H

#include "collide/feature_touch.h"

typedef struct cst_moving_cylinder {
    int32_t owner;
    double radius, half; /* radius and half height of the cylinder (m); its axis is the third axis of its frame */
    double rounding;
    double x[2][3], R[2][9];
} cst_moving_cylinder;

cst_box cst_moving_cylinder_box(const cst_moving_cylinder *cylinder);

/* Adds the contacts of a body with a cylinder to the list `heap`. Feature a of a contact belongs to the body, and feature b is
 * the whole cylinder (CST_FEATURE_BODY). Returns false if memory ran out. */
bool cst_feature_cylinder_touches(const cst_feature_patch *a, const cst_moving_cylinder *cylinder, const cst_feature_rules *rules,
                                  cst_touch_heap *heap);

#endif
