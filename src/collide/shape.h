/* Shapes in the plane: arcs with thickness, and half-planes.
 *
 * An arc with the thickness `radius` consists of all points whose distance from the arc is at most `radius`. A straight segment
 * is an arc of curvature 0, and a disk is an arc of length 0. An arc with the flag `solid` bounds a solid on its right. Contacts
 * push a shape out of the solid, to the left of the arc. A shape that is deeper in the solid than a limit has no contact
 * (`solid_depth`, detect_plane.h). An arc of length 0 with the flag `hollow` is a circular hole in a solid. */
#ifndef CST_COLLIDE_SHAPE_H
#define CST_COLLIDE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cst_arc {
    double x[2];     /* start */
    double angle;    /* direction at the start */
    double k, l;     /* curvature, length */
    double radius;   /* thickness */
    int32_t owner;   /* index of the body */
    int32_t feature; /* its number there */
    double s;        /* arc length at the start (m) */
    /* length (m) of the part of the rod that the arc represents; larger than the length of the arc itself if the arc is the chord
     * of a curved element */
    double material_length;
    double owner_length; /* length of the rod (m) */
    bool owner_closed;   /* true: `s` is cyclic */
    bool solid, hollow;
} cst_arc;

typedef struct cst_half_plane {
    double normal[2]; /* outward unit vector */
    double height;    /* solid where normal.x < height */
    int32_t owner;
} cst_half_plane;

/* A pair of nearest points of two shapes. A half-plane as shape b has the index (number of arcs) + (its index among the
 * half-planes). */
typedef struct cst_touch {
    int32_t a, b;     /* shapes */
    double s_a, s_b;  /* arc lengths (m) of the contact points; on a half-plane, the coordinate along its boundary */
    double normal[2]; /* unit, from b to a */
    double gap;       /* surface distance (m); negative: penetration */
    /* number of the contact among the contacts of the shapes a and b; a contact that persists has the same number in consecutive
     * steps */
    uint8_t branch;
} cst_touch;

#endif
