/* Named centrelines for the initial shape of a fiber: knots, hitches, turns around a post, coils.
 *
 * A shape is a smooth curve in its own coordinates, placed by `position` and `frame`. The points of a shape are equally spaced:
 * either along the curve, whose length is then exactly that of the fiber (super-helix), or in straight distance (nodal models,
 * whose edges are chords). Shapes with straight tails adjust the length of their tails; shapes without tails end where the length
 * of the fiber ends. */
#ifndef CST_SCENE_FIBER_SHAPES_H
#define CST_SCENE_FIBER_SHAPES_H

#include "capstan/capstan.h"

/* Own coordinates and parameters of each shape. [tail]: shapes with a straight tail at both ends. */
typedef enum cst_fiber_shape_kind {
    CST_SHAPE_STRAIGHT = 0, /* from the origin along x */
    CST_SHAPE_ARC,   /* an arc from the origin along x that turns left in the plane xy by the total angle `angle`; 2 pi: a ring */
    CST_SHAPE_WAVE,  /* a wave y = amplitude sin(2 pi x / wavelength) from the origin */
    CST_SHAPE_HELIX, /* a helix around x with radius `loop` and `pitch` per turn, from (0, loop, 0) */
    CST_SHAPE_COIL,  /* a helix around z, from (loop, 0, 0) up; with a tail it bends at its top and continues straight up */
    /* a slack curve from the origin to (distance, 0, 0), with distance < length; it bulges along y and ends along x */
    CST_SHAPE_SLACK,
    CST_SHAPE_CAPSTAN,     /* [tail] turns by `angle` around a post along z, with its middle at +x, rising by `pitch` per turn */
    CST_SHAPE_CLOVE_HITCH, /* [tail] a clove hitch around a post along z, knotted at +x, with tails along y */
    /* [tail] a round loop above a braid at the origin, with tails along x; 3 crossings: trefoil; also 5, 7 */
    CST_SHAPE_OVERHAND_KNOT,
    CST_SHAPE_FIGURE_OF_EIGHT_KNOT, /* [tail] a figure-of-eight knot around the origin, flat in xy, with tails along x */
    CST_SHAPE_KINDS
} cst_fiber_shape_kind;

/* Names of the shapes by kind: "straight", "arc", ... "figure_of_eight_knot". */
extern const char *const cst_fiber_shape_names[CST_SHAPE_KINDS];

typedef struct cst_fiber_shape_def {
    cst_fiber_shape_kind kind;
    double radius;                /* m: contact radius; the smallest distance of two strands is 2.1 radii */
    double loop;                  /* m: radius of a knot's loop, of a helix or a coil */
    double post;                  /* m: radius of the post */
    double pitch;                 /* m per turn: rise of a helix, coil or capstan; 0 means 2.4 radii for coil and capstan */
    double angle;                 /* rad */
    double amplitude, wavelength; /* m */
    double distance;              /* m: distance of the ends */
    double clearance;             /* m: gap between fiber and post; also widens the gap between strands */
    /* m: length of the tail before the shape (of a coil: at its top); CST_UNSET: equal to the tail behind the shape */
    double tail;
    int crossings;      /* overhand knot: 3, 5, 7, ... */
    bool equal_chords;  /* true: points at equal distances; false: points at equal arc lengths */
    bool mirrored;      /* true if the shape is mirrored, which changes the sign of its own z coordinate */
    bool reversed;      /* true if the fiber starts where the shape ends */
    double position[3]; /* m: position of the origin */
    double frame[9];    /* (3 x 3) row-major rotation; columns are the axes of the shape */
} cst_fiber_shape_def;

cst_fiber_shape_def cst_fiber_shape_def_default(cst_fiber_shape_kind kind);

/* point: ((elements + 1) x 3) m. Returns false with a message if the parameters give no valid shape, or a shape that overlaps
 * itself. */
bool cst_fiber_shape(const cst_fiber_shape_def *def, int elements, double length, double *point, char *message,
                     size_t message_size);

#endif
