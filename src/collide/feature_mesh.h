/* Vertices, edges and faces of a triangle mesh with their neighbours, in the mesh's own frame. The contact search on features
 * (detect_features.h) uses a feature mesh as the surface of a solid or a sheet. A mesh of one vertex is a ball and a mesh of two
 * vertices is a capsule, with the body's rounding as radius.
 *
 * Each edge stores, for both adjacent faces, the unit vector w that lies in the face, is perpendicular to the edge and points
 * into the face. A direction away from the mesh is normal to the mesh at an edge if it has no positive component along either of
 * the two vectors w that point from the edge into its faces (the wedge of the Gauss map). A direction is normal to the mesh at a
 * vertex if it has no positive component along any edge that leaves the vertex. */
#ifndef CST_COLLIDE_FEATURE_MESH_H
#define CST_COLLIDE_FEATURE_MESH_H

#include "collide/box_tree.h"

typedef struct cst_feature_edge {
    int32_t from, to;
    int32_t face[2];     /* beside it, or -1 */
    double inward[2][3]; /* w of each face */
    /* True if the edge is tested against other edges: the edge is convex, or it belongs to a sheet that is not flat at this
     * edge. */
    bool touches;
    /* sine of the angle by which the second face bends away from the plane of the first; > 0: the edge is convex */
    double bend;
} cst_feature_edge;

typedef struct cst_feature_mesh {
    cst_arena arena;
    cst_arena_mark built; /* arena mark below the tree */
    int vertices, edges, faces;
    bool closed;        /* true: closed surface of a solid; false: open sheet, which has contacts on both sides */
    bool soft;          /* true: the mesh deforms, so that contacts are also searched inside its flat parts */
    double *vertex;     /* (vertices x 3) */
    int32_t *face;      /* (faces x 3) */
    int32_t *face_edge; /* for each corner of each face, the index of the edge from this corner to the next */
    cst_feature_edge *edge;
    int32_t *star;         /* array (vertices + 1): index in the array `around` of the first edge of each vertex */
    int32_t *around;       /* (2 edges) edges at each vertex */
    bool *vertex_touches;  /* for each vertex: false if it is inside a flat part of the mesh and is not tested for contact */
    int32_t *face_of;      /* for each vertex, a face that has this vertex, or -1 */
    int32_t *face_of_edge; /* array (edges): likewise */
    /* array (faces + 1): index in the array `owned` (vertices and edges assigned to faces) at which the row of each face starts.
     * The row of a face lists the vertices v (stored as 2 v) and the edges e (stored as 2 e + 1) that face_of and face_of_edge
     * assign to the face. */
    int32_t *feature_start;
    int32_t *owned;
    cst_box *box; /* (faces) */
    cst_box whole;
    cst_box_tree tree;
    /* Meshes that bend only: (vertices + 1) rows of `near`. The row of a vertex lists the vertices within a given distance along
     * edges, starting with the vertex itself, in the shape that the mesh had when the rows were built. NULL: not built. */
    int32_t *near_start;
    int32_t *near;
    /* m: for a closed mesh, the smallest distance through the solid from the middle of a face; for a soft sheet, its thickness;
     * otherwise HUGE_VAL */
    double thickness;
    double size;    /* largest edge of `whole` (m) */
    double longest; /* longest edge of a mesh that bends (m), at the time of cst_feature_mesh_soften; 0: the mesh does not bend */
} cst_feature_mesh;

/* Returns NULL if memory ran out, a number is not finite or an index is out of range. Without triangles, the mesh has one or two
 * vertices. */
cst_feature_mesh *cst_feature_mesh_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                          const cst_allocator *allocator);
void cst_feature_mesh_destroy(cst_feature_mesh *mesh);

/* Sets new vertex positions and rebuilds the tree; the triangles stay the same. Allocates only in the first calls. Returns false,
 * with nothing changed, if a number is not finite. */
bool cst_feature_mesh_move(cst_feature_mesh *mesh, const double *vertex);

/* Declares that the mesh bends (that it is soft), and sets its thickness (m). Two features of a soft mesh are tested for self
 * contact only if the path between them along edges is longer than `reach` (m). Returns false if memory ran out. */
bool cst_feature_mesh_soften(cst_feature_mesh *mesh, double thickness, double reach);

/* Returns true if the unit vector n is normal to the mesh at the vertex. The vector n is given in the mesh's own frame and points
 * to the body that touches the vertex. The vector n counts as normal to the mesh at the vertex if no edge that leaves the vertex
 * rises towards n by an angle whose sine is above `tilt`. */
bool cst_feature_vertex_faces(const cst_feature_mesh *mesh, int32_t vertex, const double *n, double tilt);

#endif
