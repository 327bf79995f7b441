/* Vertices, edges and faces of a mesh of triangles, with who is beside whom, in the mesh's own frame: what contacts on features
 * (detect_features.h) need of a solid's or a sheet's surface. One vertex alone is a ball, two are a capsule (thick by the body's
 * rounding).
 *
 * Each edge knows, for both faces beside it, the unit vector w that lies in the face, across the edge, and points into the face.
 * A direction d away from the mesh is normal to the mesh at the edge if d . w <= 0 for both (the wedge of the Gauss map), and at a
 * vertex if d . e <= 0 for all edges e that leave the vertex. */
#ifndef CST_COLLIDE_FEATURE_MESH_H
#define CST_COLLIDE_FEATURE_MESH_H

#include "collide/box_tree.h"

typedef struct cst_feature_edge {
    int32_t from, to;
    int32_t face[2];     /* beside it, or -1 */
    double inward[2][3]; /* w of each face */
    bool touches;        /* may touch other edges: it stands out, or is an edge of a sheet that is not level there */
    double bend; /* sine of the angle by which the second face bends down from the first; > 0: convex, seen along their normals */
} cst_feature_edge;

typedef struct cst_feature_mesh {
    cst_arena arena;
    cst_arena_mark built; /* the tree is above */
    int vertices, edges, faces;
    bool closed;        /* matter on the inner side of every face; otherwise a sheet with two sides */
    bool soft;          /* it deforms: level parts touch with all their vertices and edges, which may bend */
    double *vertex;     /* (vertices x 3) */
    int32_t *face;      /* (faces x 3) */
    int32_t *face_edge; /* (faces x 3) edge from each corner to the next */
    cst_feature_edge *edge;
    int32_t *star;         /* (vertices + 1) start of the edges that leave each vertex */
    int32_t *around;       /* (2 edges) */
    bool *vertex_touches;  /* (vertices) it is not within a level part of the mesh */
    int32_t *face_of;      /* (vertices) a face that has the vertex, or -1 */
    int32_t *face_of_edge; /* (edges) likewise */
    /* (faces + 1) rows of `owned`: vertices v as 2 v, edges e as 2 e + 1 that name this face in face_of */
    int32_t *feature_start;
    int32_t *owned;
    cst_box *box; /* (faces) */
    cst_box whole;
    cst_box_tree tree;
    /* Of a mesh that bends: (vertices + 1) rows of `near`, the vertices no farther from each than a reach along edges, itself first, as the mesh was
     * when they were found. NULL: not found. */
    int32_t *near_start;
    int32_t *near;
    double thickness; /* m: least way through the matter from the middle of a face (closed), that of a soft sheet, or HUGE_VAL */
    double size;      /* m: largest edge of `whole` */
    double longest;   /* m: edge of a mesh that bends, as it was when that was said; 0: it does not */
} cst_feature_mesh;

/* NULL if memory ran out, a number is not finite or an index out of range. Without triangles: one or two vertices. */
cst_feature_mesh *cst_feature_mesh_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                          const cst_allocator *allocator);
void cst_feature_mesh_destroy(cst_feature_mesh *mesh);

/* New places of the vertices: the same triangles, a new tree. No allocation when warm. False: not finite, nothing changed. */
bool cst_feature_mesh_move(cst_feature_mesh *mesh, const double *vertex);

/* The mesh bends (soft), is so thick, and touches itself where the way along its edges is longer than `reach`. False: out of memory. */
bool cst_feature_mesh_soften(cst_feature_mesh *mesh, double thickness, double reach);

/* Is the direction n (own frame, unit), away from whoever touches the vertex, normal to the mesh there? No edge that leaves the vertex may
 * go along n by more than `tilt` (a sine). */
bool cst_feature_vertex_faces(const cst_feature_mesh *mesh, int32_t vertex, const double *n, double tilt);

#endif
