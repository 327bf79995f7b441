/* A material point of a body or an obstacle, given by a feature (vertex, edge, ...) and up to two coordinates on the feature. The
 * fields `index` and `c` of a material point mean, for each kind of feature:
 *     BODY: the whole body, for example a half-space or a ball; index 0, no coordinates.
 *     CURVE: an element of a centreline; c[0]: arc length (m) from the start of the element.
 *     VERTEX: vertex of a mesh; no coordinates.
 *     EDGE: an edge of a mesh; c[0]: distance from the first vertex of the edge, as a share of the edge's length.
 *     FACE: a triangle of a mesh; c[0], c[1]: barycentric coordinates of the second and the third corner. */
#ifndef CST_COLLIDE_FEATURE_H
#define CST_COLLIDE_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cst_feature_kind {
    CST_FEATURE_BODY = 0,
    CST_FEATURE_CURVE,
    CST_FEATURE_VERTEX,
    CST_FEATURE_EDGE,
    CST_FEATURE_FACE
} cst_feature_kind;

typedef struct cst_material_place {
    int32_t owner;
    cst_feature_kind kind;
    int32_t index;
    double c[2];
} cst_material_place;

/* A contact of two features that touch, or would touch within the step. */
typedef struct cst_feature_touch {
    cst_material_place a, b;
    /* positions (m) of the two material points a and b, which lie on the features, not on the rounded surfaces of the bodies */
    double x_a[3], x_b[3];
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance (m) of the rounded surfaces along the normal; negative: penetration */
    /* true: the features do not touch at the pose at which gaps are measured (start or end of the motion), but they meet during
     * the motion; always false in contacts with cylinders and half-spaces */
    bool swept;
} cst_feature_touch;

/* Removes the contacts whose entry in the array `goes` is true, keeps the order of the rest, and returns their number. */
static inline int cst_feature_touches_left(cst_feature_touch *touch, int touches, const bool *goes)
{
    int left = 0;
    for (int i = 0; i < touches; ++i)
        if (!goes[i])
            touch[left++] = touch[i];
    return left;
}

#endif
