/* Shapes of 3D scenes: pieces of centrelines with a thickness, and solids.
 *
 * A centreline piece is one element of the centreline of a body, evaluated by a cst_curve_view. The piece consists of all points
 * whose distance from the curve is at most `radius`. A straight centreline piece (curvature 0) is a capsule, and a piece of
 * length 0 is a ball. The centreline pieces of one body are consecutive, in the order of its elements. */
#ifndef CST_COLLIDE_SHAPE_SPACE_H
#define CST_COLLIDE_SHAPE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_POSE = 12, CST_QUARTERS = 4 };

/* The current shape of a centreline piece. The shapes of all pieces are stored in one array, because collision detection reads
 * the shapes several times per step. Without the array of shapes, collision detection would have to read the bodies, which takes
 * 0.3 to 0.6 us per hair each time (measured with 10,000 hairs). */
typedef struct cst_piece_shape {
    bool has_key, has_ends; /* has_key: `key` is valid; has_ends: `end` and `tangent` are valid */
    /* hash key of the numbers that determine the curve of the piece. Two kinds of numbers may be left out of the hash key: the
     * length of the piece, and numbers that are already in the hash keys of earlier pieces of the same centreline. If the hash
     * key of a piece is not given (has_key = false), collision detection computes it. */
    uint64_t key;
    /* ends and unit tangents at the ends; they may differ from the results of cst_curve_view.at by rounding errors */
    double end[2][3], tangent[2][3];
    double pose[CST_POSE]; /* numbers from which the functions `drift` and `inside` of cst_curve_view compute the curve */
} cst_piece_shape;

/* Functions that evaluate the centreline of a body; several threads call them at the same time. The function `at` computes a
 * point and, unless `tangent` is NULL, the unit tangent there. */
typedef struct cst_curve_view {
    void (*at)(const void *user, int feature, double s, double *x, double *tangent);
    /* Computes the same point (the same bits) as the function `at` from a stored shape with has_ends = true, for 0 < s < length.
     * NULL: `at` is used. */
    void (*inside)(const cst_piece_shape *shape, double s, double *x);
    /* Returns an upper bound (m) for the error that arises if the displacements along a centreline piece are interpolated
     * linearly between CST_QUARTERS + 1 equally spaced points. The displacements lead from the earlier shape `was` to the current
     * shape `is` (cst_piece_shape.pose). If the function `drift` is NULL, the bound is 0 for a piece that is straight in both
     * shapes `was` and `is`, and infinite for any other piece. */
    double (*drift)(double length, const double *was, const double *is);
    /* Estimates the bending motion of a centreline piece in a step: displacements of its inner points, minus the linear
     * interpolation between the displacements of its two ends. NULL: zero. */
    void (*bow)(const void *user, int feature, double out[CST_QUARTERS - 1][3]);
    const void *user;
} cst_curve_view;

typedef struct cst_piece {
    int32_t owner;   /* index of the body */
    int32_t feature; /* index of the piece among the pieces of the body */
    double length, radius;
    double curvature; /* upper bound for the curvature of the piece (1/m); 0: straight */
    /* arc length (m) at the start of the piece; a piece that begins where the previous one ends is joined to it */
    double s;
    double owner_length; /* length of the centreline (m) */
    bool owner_closed;   /* true: `s` is cyclic */
    bool edge;           /* true: the piece is an edge of a solid, and touches only solids of other bodies */
} cst_piece;

/* Displacement of a centreline piece in the step: way[0] at its start and way[1] at its end. The displacement of any point of the
 * piece differs from the linear interpolation of way[0] and way[1] by at most `spread`. */
typedef struct cst_piece_way {
    double way[2][3]; /* m */
    double spread;    /* m */
} cst_piece_way;

/* Motion of a centreline piece in a finished step, for the check that no two pieces passed through each other. */
typedef struct cst_piece_move {
    /* displacements of the two ends of the piece; even if the piece rotates by a large angle, the displacement of an inner point
     * differs from their linear interpolation by at most went.spread */
    cst_piece_way went;
    double turned; /* upper bound for the change of the unit tangent in the step, at any point of the piece */
    double bend;   /* upper bound for the curvature of the piece at the start of the step (1/m) */
    double corner; /* upper bound for the angle (rad) between the previous piece and this piece at the start of the step */
} cst_piece_move;

/* One of `count` equal parts of a centreline piece: the part that contains the arc length s (m). */
typedef struct cst_stretch {
    int32_t piece, count;
    double s;
} cst_stretch;

typedef enum cst_solid_kind {
    CST_SOLID_PLANE = 0, /* solid below z = 0 */
    CST_SOLID_SPHERE,    /* around the origin; size[0]: radius */
    CST_SOLID_CAPSULE,   /* capsule, axis along z; size[0]: radius, size[1]: half length of the axis */
    CST_SOLID_BOX,       /* box, size[0 .. 2]: half edge lengths; `rounding` is added around the box */
    CST_SOLID_CYLINDER,  /* cylinder, axis along z; size[0]: radius, size[1]: half height */
    CST_SOLID_MESH       /* a triangle mesh (mesh_space.h) with `rounding` as thickness */
} cst_solid_kind;

typedef struct cst_mesh_space cst_mesh_space;

typedef struct cst_solid {
    int32_t owner;
    int32_t feature;
    cst_solid_kind kind;
    double size[3];
    double rounding;            /* thickness (m) added around a box, cylinder or mesh */
    double position[3];         /* origin of the solid's own frame (m) */
    double frame[9];            /* array (3 x 3): rotation matrix in row-major order; its columns are the solid's axes */
    const cst_mesh_space *mesh; /* MESH only */
} cst_solid;

/* Displacement of a solid in the step. The displacement of a point at the offset d from the solid's `position` differs from `way
 * + turn x d` by at most `spread`. */
typedef struct cst_solid_way {
    double way[3];  /* m */
    double turn[3]; /* rad */
    double spread;  /* m */
} cst_solid_way;

/* A contact: a pair of nearest points of the centreline piece a and the shape b. If shape b is a solid, its index is the number
 * of centreline pieces plus the number of the solid. */
typedef struct cst_touch_space {
    int32_t a, b;
    uint32_t branch; /* rank of the contact among the contacts of the shapes a and b, by arc length on a, then on b */
    int32_t part;    /* triangle of a mesh, else 0 */
    /* arc lengths (m) from the starts of the centreline pieces a and b; 0 on a solid */
    double s_a, s_b;
    double x_a[3];    /* contact point (m) on the centreline of shape a */
    double x_b[3];    /* contact point (m) on the centreline of shape b, or on the surface of the solid b */
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance between the two surfaces (m), thickness included; negative: penetration */
} cst_touch_space;

#endif
