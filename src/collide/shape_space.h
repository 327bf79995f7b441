/* Shapes of 3D scenes: pieces of centrelines with a thickness, and solids.
 *
 * A centreline piece is one element of the centreline of a body. Its curve has the length `length` and is evaluated by the
 * functions cst_curve_view of the body. The shape of the piece consists of all points whose distance from the curve is at most
 * `radius`. The shape of a straight piece (curvature 0) is a capsule, and the shape of a piece of length 0 is a ball. The
 * centreline pieces of one body are consecutive, in the order of its elements. */
#ifndef CST_COLLIDE_SHAPE_SPACE_H
#define CST_COLLIDE_SHAPE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_POSE = 12, CST_QUARTERS = 4 };

/* The current shape of a centreline piece. The caller of collision detection stores the shapes of all pieces in one array, which
 * detection reads several times per step. With 10,000 hairs, reading the bodies instead would take 0.3 to 0.6 us per hair each
 * time, because the bodies do not fit into the cache. */
typedef struct cst_piece_shape {
    bool has_key, has_ends; /* has_key: `key` is set; has_ends: `end` and `tangent` are set */
    /* hash key of the numbers that determine the curve of the piece. The length of the piece, and numbers in the keys of earlier
     * pieces of the same centreline, are allowed to be left out. Without a hash key, detection computes one from points and
     * tangents of the piece. */
    uint64_t key;
    /* the two ends of the piece and the unit tangents at the ends; they may differ from the results of cst_curve_view.at by
     * rounding errors */
    double end[2][3], tangent[2][3];
    double pose[CST_POSE]; /* numbers that describe the shape, for the functions `drift` and `inside` */
} cst_piece_shape;

/* The functions that evaluate the centreline of a body; several threads call them at the same time. The function `at` computes
 * the point x of centreline piece number `feature` at the arc length s. It also computes the unit tangent at this point, unless
 * `tangent` is NULL. */
typedef struct cst_curve_view {
    void (*at)(const void *user, int feature, double s, double *x, double *tangent);
    /* Computes the same point as the function `at`, equal in all bits, from a stored shape with has_ends = true. The arc length s
     * is inside the piece: 0 < s < length. If `inside` is NULL, the function `at` is used instead. */
    void (*inside)(const cst_piece_shape *shape, double s, double *x);
    /* Returns an upper bound (m) for the error of the linear interpolation of displacements along a centreline piece. The
     * displacements lead from the earlier shape `was` to the current shape `is` (cst_piece_shape.pose). They are interpolated
     * between the ends of CST_QUARTERS equal parts of the piece. If `drift` is NULL, the bound is 0 for a piece that is straight
     * in the two shapes, and infinity for any other piece. */
    double (*drift)(double length, const double *was, const double *is);
    /* Estimates the bending motion of a centreline piece in a step, at the points that divide it into CST_QUARTERS equal parts.
     * The bending motion is the displacement of a point minus the linear interpolation between the displacements of the two ends.
     * If `bow` is NULL, the bending motion is zero. */
    void (*bow)(const void *user, int feature, double out[CST_QUARTERS - 1][3]);
    const void *user;
} cst_curve_view;

typedef struct cst_piece {
    int32_t owner;   /* index of the body in the simulated world */
    int32_t feature; /* number of the piece in its body */
    double length, radius;
    double curvature; /* upper bound for the curvature (1/m); 0: straight */
    /* arc length (m) of the centreline at the start of the piece; a piece that begins where the previous piece ends is joined to
     * it */
    double s;
    double owner_length; /* length of the centreline (m) */
    bool owner_closed;   /* true: `s` is cyclic */
    bool edge;           /* true: the piece is an edge of its body's solid and touches only solids of other bodies */
} cst_piece;

/* Displacement of a centreline piece in the step: way[0] at its start, way[1] at its end, and linear between start and end. The
 * error of this displacement is at most `spread`. */
typedef struct cst_piece_way {
    double way[2][3]; /* m */
    double spread;    /* m */
} cst_piece_way;

/* Motion of a centreline piece in a finished step, for the check that no two pieces passed through each other. */
typedef struct cst_piece_move {
    /* displacements of the two ends of the piece; at every other point and for any rotation of the piece, the displacement
     * differs from linear interpolation by at most went.spread */
    cst_piece_way went;
    double turned; /* upper bound for the change of the unit tangent in the step, over all points of the piece */
    double bend;   /* upper bound for the curvature of the piece at the start of the step (1/m) */
    double corner; /* upper bound for the angle (rad) between the previous piece and this piece at the start of the step */
} cst_piece_move;

/* One of `count` equal parts of a centreline piece: the part that contains the point at the arc length s (m) from the start of
 * the piece. */
typedef struct cst_stretch {
    int32_t piece, count;
    double s;
} cst_stretch;

typedef enum cst_solid_kind {
    CST_SOLID_PLANE = 0, /* solid below z = 0 */
    CST_SOLID_SPHERE,    /* around the origin; size[0]: radius */
    CST_SOLID_CAPSULE,   /* along z; size[0]: radius, size[1]: half length of the axis */
    CST_SOLID_BOX,       /* size[0 .. 2]: half edge lengths; `rounding` is added around the box */
    CST_SOLID_CYLINDER,  /* along z; size[0]: radius, size[1]: half height */
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

/* Displacement of a solid in the step. A point at the offset d from the solid's `position` moves by the vector `way + turn x d`;
 * the error of this displacement is at most `spread`. */
typedef struct cst_solid_way {
    double way[3];  /* m */
    double turn[3]; /* rad */
    double spread;  /* m */
} cst_solid_way;

/* A contact: a point of the centreline piece a and the nearest point of the shape b. If shape b is a solid, its index is the
 * number of centreline pieces plus the number of the solid. */
typedef struct cst_touch_space {
    int32_t a, b;
    uint32_t branch; /* rank of the contact among the contacts of the shapes a and b, sorted by arc length on a, then on b */
    int32_t part;    /* triangle of a mesh, else 0 */
    /* arc lengths (m) of the contact points, each from the start of its centreline piece; 0 on a solid */
    double s_a, s_b;
    double x_a[3];    /* contact point on the centreline of a */
    double x_b[3];    /* contact point on the centreline of b, or on the surface of the solid b */
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance between the two surfaces (m), thickness included; negative: penetration */
} cst_touch_space;

#endif
