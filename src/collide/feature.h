/* A material point on a body or an obstacle of any kind: the feature and up to two coordinates on it. Collision detection,
 * contact rows, contact tracking and checkpoints describe contacts by material points.
 *
 * The kind of the feature decides what the number `index` and the coordinates `c` of a material point mean. BODY is the whole
 * body (a half-space, a ball), with the index 0 and no coordinates. CURVE is an element of a centreline, and c[0] is the arc
 * length (m) from the start of the element. VERTEX is a vertex without coordinates. EDGE is an edge of a mesh, and c[0] is the
 * share of its length from its first vertex. FACE is a triangle of a mesh, and c[0] and c[1] are the barycentric coordinates of
 * its second and its third corner. */
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

/* A contact of two features: they touch, or would touch within the step. */
typedef struct cst_feature_touch {
    cst_material_place a, b;
    /* positions of the two material points, on the features themselves (without the bodies' rounding radius) */
    double x_a[3], x_b[3];
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance of the surfaces along the normal, m; negative: penetration */
    /* true: the features cross during the motion, but are not near each other at the pose (start or end of the motion) at which
     * gaps are measured */
    bool swept;
} cst_feature_touch;

/* Removes the contacts that are marked in the array `goes` and keeps the order of the other contacts. Returns their number. */
static inline int cst_feature_touches_left(cst_feature_touch *touch, int touches, const bool *goes)
{
    int left = 0;
    for (int i = 0; i < touches; ++i)
        if (!goes[i])
            touch[left++] = touch[i];
    return left;
}

#endif
