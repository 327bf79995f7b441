/* Named centrelines for the initial shape of a fiber: knots, hitches, turns around a post, coils.
 *
 * A shape is a smooth curve in its own coordinates; the members `position` and `frame` of its definition place it in the world.
 * For a super-helix, the points divide the curve into pieces of equal arc length, and the curve has exactly the length of the
 * fiber. For nodal models, whose edges are chords of the curve, the straight distances between consecutive points are equal. If a
 * shape has straight tails at both ends, they use the part of the fiber's length that the shape itself does not need. A coil uses
 * the length that its tail leaves. A shape without tails uses the whole fiber. */
#ifndef CST_SCENE_FIBER_SHAPES_H
#define CST_SCENE_FIBER_SHAPES_H

#include "capstan/capstan.h"

/* The capstan shape, the clove hitch and the two knots have a straight tail at both ends. */
typedef enum cst_fiber_shape_kind {
    CST_SHAPE_STRAIGHT = 0, /* from the origin along x */
    CST_SHAPE_ARC,   /* an arc from the origin along x that turns left in the plane xy by the total angle `angle`; 2 pi: a ring */
    CST_SHAPE_WAVE,  /* a wave y = amplitude sin(2 pi x / wavelength) from the origin */
    CST_SHAPE_HELIX, /* a helix around x with radius `loop` and `pitch` per turn; it starts on the y axis */
    CST_SHAPE_COIL,  /* a helix around z with radius `loop`, which starts on the x axis and rises; a tail continues straight up */
    /* a slack curve between two points of the x axis whose distance is smaller than the length of the curve; it bulges along y
     * and is tangent to x at both ends */
    CST_SHAPE_SLACK,
    /* a helix around a post along z, with the total angle `angle` and the rise `pitch` per turn; its middle is on the +x axis */
    CST_SHAPE_CAPSTAN,
    CST_SHAPE_CLOVE_HITCH, /* a clove hitch around a post along z; the knot is at +x, the tails along y */
    /* an overhand knot: a round loop above a braid at the origin, with tails along x; 3 crossings make a trefoil knot */
    CST_SHAPE_OVERHAND_KNOT,
    CST_SHAPE_FIGURE_OF_EIGHT_KNOT, /* a figure-of-eight knot around the origin in the plane xy; the tails are along x */
    CST_SHAPE_KINDS
} cst_fiber_shape_kind;

/* Names of the shapes by kind: "straight", "arc", ... "figure_of_eight_knot". */
extern const char *const cst_fiber_shape_names[CST_SHAPE_KINDS];

typedef struct cst_fiber_shape_def {
    cst_fiber_shape_kind kind;
    /* contact radius (m): radius of the fiber's cross-section in contact detection; parts of the centreline that are not close to
     * each other along the fiber must be at least 2.1 contact radii apart */
    double radius;
    double loop; /* radius of the loop of a knot, of a helix or of a coil (m) */
    double post; /* radius of the post (m) */
    /* rise per turn (m) of a helix, of a coil or of turns around a post (capstan); for a coil or a capstan, 0 stands for 2.4
     * contact radii */
    double pitch;
    double angle;                 /* total angle of an arc or a capstan (rad) */
    double amplitude, wavelength; /* of a wave (m) */
    double distance;              /* distance of the ends (m) */
    /* gap (m) between fiber and post; in a knot, a larger value moves the crossing parts of the fiber farther apart */
    double clearance;
    /* length (m) of the straight tail before the shape; for a coil, length of the tail at its top. CST_UNSET: both tails of the
     * shape have equal lengths; a coil has no tail */
    double tail;
    int crossings;      /* overhand knot: 3, 5, 7, ... */
    bool equal_chords;  /* true: consecutive points have equal straight distances; false: equal arc lengths between them */
    bool mirrored;      /* true: the shape is mirrored in the plane xy */
    bool reversed;      /* true: the points run backwards */
    double position[3]; /* position of the origin (m) */
    double frame[9];    /* row-major rotation matrix (3 x 3) whose columns are the axes of the shape in the world */
} cst_fiber_shape_def;

cst_fiber_shape_def cst_fiber_shape_def_default(cst_fiber_shape_kind kind);

/* Computes the points of a named shape. `point`: output, array ((elements + 1) x 3): positions (m) of the points of the shape.
 * Returns false with a message if the parameters are not valid, if the fiber is too short for the shape, or if the shape bends
 * too sharply or overlaps itself. */
bool cst_fiber_shape(const cst_fiber_shape_def *def, int elements, double length, double *point, char *message,
                     size_t message_size);

#endif
