/* Shapes in space: pieces of centrelines with thickness, and solids.
 *
 * A piece is one element of the centreline of an owner: a curve of length `length`, as the owner's view tells it, of which the
 * points at distance <= radius belong to the shape. Straight pieces (curvature 0) are capsules; a ball is a piece of length 0.
 * The pieces of an owner stand together, in the order of their features. */
#ifndef CST_COLLIDE_SHAPE_SPACE_H
#define CST_COLLIDE_SHAPE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum { CST_POSE = 12, CST_QUARTERS = 4 };

/* The centreline of an owner: the point at s, in [0, length of the piece], and the unit tangent there (may be NULL). Called from
 * several threads. */
typedef struct cst_curve_view {
    void (*at)(const void *user, int feature, double s, double *x, double *tangent);
    /* A key of all numbers that the curve of a feature depends on, beside its length, but for what those of earlier features of the owner say; NULL:
     * points and tangents have to do. */
    uint64_t (*key)(const void *user, int feature);
    /* Both ends and the unit tangents there, which may be others than `at` says by rounding; NULL: `at` says so. */
    void (*ends)(const void *user, int feature, double x[2][3], double tangent[2][3]);
    /* Numbers of a piece as it is (CST_POSE at most), and by how much its points have gone elsewhere since then, at most, than what is linear
     * between the ends of its CST_QUARTERS equal parts says. NULL: not known, unless it is straight. */
    void (*pose)(const void *user, int feature, double *out);
    double (*drift)(const void *user, int feature, const double *was);
    /* A guess of how far the ends of its parts inside it go in a step, beyond what is linear between where its ends go; NULL: nowhere. */
    void (*bow)(const void *user, int feature, double out[CST_QUARTERS - 1][3]);
    const void *user;
} cst_curve_view;

typedef struct cst_piece {
    int32_t owner;   /* the world's number of whom it belongs to */
    int32_t feature; /* its number there */
    double length, radius;
    double curvature;    /* 1/m: no point of it is bent more; 0: straight */
    double s;            /* arc length of the owner at its start: pieces that follow each other are joined if it says so */
    double owner_length; /* total arc length of the owner; owner_closed: s is cyclic */
    bool owner_closed;
    bool edge; /* of a solid of the same owner: touches solids of others only */
} cst_piece;

/* Where a piece goes in the step: its start and its end by `way`, the points between by what is between them, give or take
 * `spread`. */
typedef struct cst_piece_way {
    double way[2][3]; /* m */
    double spread;    /* m */
} cst_piece_way;

/* Where a piece of a centreline went in a step, for those who ask whether pieces passed through each other. */
typedef struct cst_piece_move {
    cst_piece_way went; /* its ends exactly; `spread` is a bound for the points between them, however far the piece turned */
    double turned;      /* the derivative of its points by arc length changed by no more: of unit tangents, the difference */
    double bend;        /* 1/m: at the start of the step it was nowhere bent more */
    double corner;      /* rad: at the start of the step its owner turned by no more at the joint where it begins */
} cst_piece_move;

/* The part of a piece around s, one of `count` that are as long. */
typedef struct cst_stretch {
    int32_t piece, count;
    double s;
} cst_stretch;

typedef enum cst_solid_kind {
    CST_SOLID_PLANE = 0, /* matter below z = 0 */
    CST_SOLID_SPHERE,    /* about the origin: size[0] radius */
    CST_SOLID_CAPSULE,   /* along z: size[0] radius, size[1] half the length of its axis */
    CST_SOLID_BOX,       /* size[0 .. 2] half the edges; rounded off by `rounding` beyond them */
    CST_SOLID_CYLINDER,  /* along z: size[0] radius, size[1] half its height; rounded off likewise */
    CST_SOLID_MESH       /* triangles, see mesh_space.h; thick by `rounding` */
} cst_solid_kind;

typedef struct cst_mesh_space cst_mesh_space;

typedef struct cst_solid {
    int32_t owner;
    int32_t feature;
    cst_solid_kind kind;
    double size[3];
    double rounding;            /* m: thickness around box, cylinder, mesh */
    double position[3];         /* of its own frame */
    double frame[9];            /* (3 x 3) row-major rotation: columns are its axes */
    const cst_mesh_space *mesh; /* MESH only */
} cst_solid;

/* Where a solid goes in the step: the point at x by way + turn x (x - position), give or take `spread`. */
typedef struct cst_solid_way {
    double way[3];  /* m */
    double turn[3]; /* rad */
    double spread;  /* m */
} cst_solid_way;

/* A pair of nearest points. The shape b may be a solid: then its index counts on from the pieces. */
typedef struct cst_touch_space {
    int32_t a, b;
    uint32_t branch;  /* which in the order along a, then b, of those of one pair */
    int32_t part;     /* triangle of a mesh, else 0 */
    double s_a, s_b;  /* along each piece from its start; 0 for a solid */
    double x_a[3];    /* on the centreline of a */
    double x_b[3];    /* on the centreline of b; of a solid: on its surface, thickness included */
    double normal[3]; /* unit, from b to a */
    double gap;       /* surface to surface: thickness taken off; negative: penetration */
} cst_touch_space;

#endif
