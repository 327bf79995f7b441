/* A material point on a body or an obstacle of any kind: the feature and up to two coordinates on it. Collision detection
 * describes touches by such points, and so do constraint rows, contact tracking and the cache. Fields of each kind:
 *
 *   kind     index             c[0]                              c[1]
 *   BODY     0                 -                                 -                  the whole body (a half-space, a ball)
 *   CURVE    element           m along it from its start         -
 *   VERTEX   vertex            -                                 -
 *   EDGE     edge              share from its first vertex       -
 *   FACE     triangle          share of its second corner        share of its third corner */
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

/* A pair of features of two owners that touch, or would touch within the step. */
typedef struct cst_feature_touch {
    cst_material_place a, b;
    /* positions of the two material points, on the features themselves (without the bodies' rounding radius) */
    double x_a[3], x_b[3];
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance of the surfaces along the normal, m; negative: penetration */
    bool swept;       /* the features cross during the motion but are not near each other at the pose where gaps are measured */
} cst_feature_touch;

/* Removes the touches that are marked in `goes` and keeps the order of the others. Returns their number. */
static inline int cst_feature_touches_left(cst_feature_touch *touch, int touches, const bool *goes)
{
    int left = 0;
    for (int i = 0; i < touches; ++i)
        if (!goes[i])
            touch[left++] = touch[i];
    return left;
}

#endif
