/* Shapes in the plane: arcs with thickness, and half-planes.
 *
 * Everything but a half-plane is an arc: start x, direction, curvature k, length l, thickness radius. A straight segment has
 * k = 0, a disk is an arc of length 0. Points at distance <= radius from the arc belong to the shape. A `solid` arc is the
 * boundary of matter that lies on its right: contacts push to the left whatever the penetration. A `hollow` arc of length 0 is a
 * circle with matter outside. */
#ifndef CST_COLLIDE_SHAPE_H
#define CST_COLLIDE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cst_arc {
    double x[2];            /* start */
    double angle;           /* direction at the start */
    double k, l;            /* curvature, length */
    double radius;          /* thickness */
    int32_t owner;          /* the world's number of whom it belongs to */
    int32_t feature;        /* its number there */
    double s;               /* arc length of the owner at its start: neighbours along one rod are told by it */
    double material_length; /* of the owner, that it stands for: l, more for the chord of a curved element. Rods only */
    double owner_length;    /* total arc length of the owner; > 0 and owner_closed: s is cyclic */
    bool owner_closed;
    bool solid, hollow;
} cst_arc;

typedef struct cst_half_plane {
    double normal[2]; /* outward unit vector */
    double height;    /* matter where normal . x < height */
    int32_t owner;
} cst_half_plane;

/* A pair of nearest points. The shape b may be a half-plane: then its index counts on from the arcs. */
typedef struct cst_touch {
    int32_t a, b;     /* shapes */
    double s_a, s_b;  /* along each arc from its start (half-plane: tangential coordinate) */
    double normal[2]; /* unit, from b to a */
    double gap;       /* surface to surface: thickness taken off; negative: penetration */
    uint8_t branch;   /* tells several touches of one pair apart, in a way that lasts */
} cst_touch;

#endif
