/* Contact frames in 3D for the generators. */
#ifndef CST_GENERATE_VECTOR_H
#define CST_GENERATE_VECTOR_H

#include "math/vector3.h"

/* Rows normal, t1, t2 = normal x t1, right-handed. `hint` need only not be parallel to the normal: t1 is its tangent part. */
static inline void cst_frame3(const double *normal, const double *hint, double *frame)
{
    double along = cst_dot3(hint, normal);
    for (int k = 0; k < 3; k++) {
        frame[k] = normal[k];
        frame[3 + k] = hint[k] - along * normal[k];
    }
    cst_normalise3(frame + 3);
    cst_cross3(frame, frame + 3, frame + 6);
}

/* The same without a hint: the axis farthest from the normal. */
static inline void cst_frame3_of_normal(const double *normal, double *frame)
{
    double hint[3] = {0, 0, 0};
    double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    hint[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1;
    cst_frame3(normal, hint, frame);
}

#endif
