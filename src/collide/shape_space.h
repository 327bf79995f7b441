/* Shapes in 3D: pieces of centrelines with thickness, and solids.
 *
 * A centreline piece is one element of the centreline of a body: a curve of length `length`, given by the cst_curve_view of the
 * body. A centreline piece with the thickness `radius` consists of all points whose distance from the curve is at most `radius`.
 * Straight centreline pieces (curvature 0) are capsules; a ball is a piece of length 0. The centreline pieces of one body are
 * consecutive, in the order of its elements. */
#ifndef CST_COLLIDE_SHAPE_SPACE_H
#define CST_COLLIDE_SHAPE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_POSE = 12, CST_QUARTERS = 4 };

/* The shape of a centreline piece, stored for the searches for contacts. The caller of collision detection stores the shapes of
 * all pieces in one array, because detection reads the pieces several times per step: with 10,000 hairs, which do not fit into
 * the cache, each reading of the bodies themselves takes 0.3 to 0.6 us per hair. */
typedef struct cst_piece_shape {
    bool has_key, has_ends; /* true if the fields `key`, or `end` and `tangent`, are set */
    /* hash key of the numbers that determine the curve of the piece; it need not include the length of the piece, nor the
     * numbers in the hash keys of earlier pieces of the same centreline. Without a hash key, detection computes one from points
     * and tangents of the piece. */
    uint64_t key;
    /* both ends and the unit tangents there; they may differ from the results of cst_curve_view.at by rounding errors */
    double end[2][3], tangent[2][3];
    double pose[CST_POSE]; /* numbers that describe the shape of the piece, for the functions `drift` and `inside` */
} cst_piece_shape;

/* The centreline of a body. The function `at` computes the point of a centreline piece at the arc length s, and the unit tangent
 * at this point (`tangent` may be NULL). It is called from several threads. */
typedef struct cst_curve_view {
    void (*at)(const void *user, int feature, double s, double *x, double *tangent);
    /* Computes, for 0 < s < length, the same point (the same bits) as the function `at`, but from a stored shape for which
     * has_ends is true. If NULL, `at` is used. */
    void (*inside)(const cst_piece_shape *shape, double s, double *x);
    /* Returns a bound (m) for the error of displacements that are interpolated linearly between the ends of CST_QUARTERS equal
     * parts of a centreline piece. The displacements lead from the earlier shape `was` to the current shape `is` (both given by
     * cst_piece_shape.pose). If the function `drift` is NULL, collision detection takes 0 as bound for a piece that is straight
     * in both shapes, and infinity for any other piece. */
    double (*drift)(double length, const double *was, const double *is);
    /* Estimates the bending of a centreline piece in a step: the displacements of its inner points, minus linear interpolation
     * between the displacements of its ends. If NULL, the difference is zero. */
    void (*bow)(const void *user, int feature, double out[CST_QUARTERS - 1][3]);
    const void *user;
} cst_curve_view;

typedef struct cst_piece {
    int32_t owner;   /* index of the body in the simulated world */
    int32_t feature; /* its number there */
    double length, radius;
    double curvature; /* upper bound for the curvature of the centreline piece (1/m); 0: straight */
    /* arc length of the centreline at the start of the piece; consecutive pieces are joined if their arc lengths match */
    double s;
    double owner_length; /* length of the centreline (m) */
    bool owner_closed;   /* true: `s` is cyclic */
    bool edge;           /* true: the centreline piece is an edge of its body's solid and is tested for contact only with solids
                          * of other bodies */
} cst_piece;

/* Displacement of a centreline piece in the step: given by `way` at its start and its end, linear between them, known up to the
 * uncertainty `spread`. */
typedef struct cst_piece_way {
    double way[2][3]; /* m */
    double spread;    /* m */
} cst_piece_way;

/* Displacement of a piece of a centreline in a finished step, for the check that no pieces passed through each other. */
typedef struct cst_piece_move {
    /* displacements of the two ends of the piece; between the ends, the displacement differs from linear interpolation by at most
     * the field `spread`, however the piece rotates */
    cst_piece_way went;
    double turned; /* upper bound for the change of the unit tangent in the step, at any point of the centreline piece */
    double bend;   /* upper bound for the centreline's curvature along the piece at the start of the step (1/m) */
    double corner; /* upper bound for the angle at the joint where the centreline piece begins (rad), at the start of the step */
} cst_piece_move;

/* One of `count` equal parts of a centreline piece; s is the arc length (m) of a point of this part, from the start of the
 * piece. */
typedef struct cst_stretch {
    int32_t piece, count;
    double s;
} cst_stretch;

typedef enum cst_solid_kind {
    CST_SOLID_PLANE = 0, /* solid below z = 0 */
    CST_SOLID_SPHERE,    /* around the origin: size[0] radius */
    CST_SOLID_CAPSULE,   /* along z: radius, half axis length */
    CST_SOLID_BOX,       /* size[0 .. 2]: half the edges; `rounding` is added around the box */
    CST_SOLID_CYLINDER,  /* along z: radius, half height */
    CST_SOLID_MESH       /* a triangle mesh (mesh_space.h) with `rounding` as thickness */
} cst_solid_kind;

typedef struct cst_mesh_space cst_mesh_space;

typedef struct cst_solid {
    int32_t owner;
    int32_t feature;
    cst_solid_kind kind;
    double size[3];
    double rounding;            /* thickness around box (m), cylinder, mesh */
    double position[3];         /* position of its own frame */
    double frame[9];            /* array (3 x 3): rotation matrix in row-major order; its columns are the solid's axes */
    const cst_mesh_space *mesh; /* MESH only */
} cst_solid;

/* Displacement of a solid in the step: a point of the solid moves by the vector `way` plus the cross product of the rotation
 * vector `turn` with the offset of the point from the solid's `position`; the uncertainty is `spread`. */
typedef struct cst_solid_way {
    double way[3];  /* m */
    double turn[3]; /* rad */
    double spread;  /* m */
} cst_solid_way;

/* A pair of nearest points of two shapes. The shape b may be a solid: then its index is the number of centreline pieces plus its
 * own index. */
typedef struct cst_touch_space {
    int32_t a, b;
    uint32_t branch; /* rank of the contact among the contacts of the shapes a and b, sorted by arc length on a, then on b */
    int32_t part;    /* triangle of a mesh, else 0 */
    /* arc lengths of the contact points on the centreline pieces a and b (m), from the start of each piece; 0 for a solid */
    double s_a, s_b;
    double x_a[3];    /* on the centreline of a */
    double x_b[3];    /* centreline of b, or surface */
    double normal[3]; /* unit, from b to a */
    double gap;       /* distance between the two surfaces (m), thickness included; negative: penetration */
} cst_touch_space;

#endif
