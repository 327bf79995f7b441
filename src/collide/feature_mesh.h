/* A triangle mesh that is the surface of a solid or a sheet: vertices, edges and faces with their neighbours, in the frame of the
 * mesh. With the rounding radius of a body, a mesh of one vertex is a ball, and a mesh of two vertices is a capsule.
 *
 * For each of its two faces, an edge stores a unit vector w, which lies in the plane of the face, is perpendicular to the edge
 * and points from the edge into the face. A direction d away from the mesh is normal to the mesh at an edge if d.w <= 0 for the
 * vectors w of both faces (the wedge of the Gauss map). At a vertex, a direction d away from the mesh is normal to the mesh if
 * d.e <= 0 for every edge vector e that leaves the vertex. */
#ifndef CST_COLLIDE_FEATURE_MESH_H
#define CST_COLLIDE_FEATURE_MESH_H

#include "collide/box_tree.h"

typedef struct cst_feature_edge {
    int32_t from, to;
    int32_t face[2];     /* faces at the edge; -1: none */
    double inward[2][3]; /* vector w of each face */
    /* true: the edge is tested against other edges; a flat edge of a rigid mesh and a concave edge of a rigid closed mesh are not
     * tested */
    bool touches;
    /* sine of the angle by which the second face bends away from the plane of the first; positive: the edge is convex; 1: the
     * edge has one face */
    double bend;
} cst_feature_edge;

typedef struct cst_feature_mesh {
    cst_arena arena;
    cst_arena_mark built; /* the arena before the tree */
    int vertices, edges, faces;
    bool closed;        /* true: closed surface of a solid; false: open sheet, which has contacts on both sides */
    bool soft;          /* true: the mesh deforms; vertices and edges inside its flat parts are tested for contact, too */
    double *vertex;     /* (vertices x 3) */
    int32_t *face;      /* (faces x 3) */
    int32_t *face_edge; /* array (faces x 3): edge from each corner of a face to the next corner */
    cst_feature_edge *edge;
    int32_t *star;         /* array (vertices + 1): index in the array `around` of the first edge of each vertex */
    int32_t *around;       /* (2 edges) edges at each vertex */
    bool *vertex_touches;  /* (vertices) true: tested for contact */
    int32_t *face_of;      /* (vertices) one face each; -1: none */
    int32_t *face_of_edge; /* (edges) one face of each edge */
    /* array (faces + 1): index at which the row of each face starts in the array `owned`. The row of a face lists the vertices v
     * (stored as 2 v) and the edges e (stored as 2 e + 1) that are assigned to the face. */
    int32_t *feature_start;
    int32_t *owned;
    cst_box *box; /* (faces) */
    cst_box whole;
    cst_box_tree tree;
    /* array (vertices + 1): index at which the row of each vertex starts in the array `near`. The row of a vertex lists the
     * vertices that were within a given distance of it along edges when cst_feature_mesh_soften made the mesh deformable. NULL:
     * the mesh is rigid. */
    int32_t *near_start;
    int32_t *near;
    /* deformable sheet: thickness (m); closed mesh: smallest distance (m) through it, measured from the middles of faces;
     * otherwise HUGE_VAL */
    double thickness;
    double size;    /* longest side (m) of the bounding box `whole` */
    double longest; /* length (m) of the longest edge when the mesh was made deformable; 0: rigid */
} cst_feature_mesh;

/* Creates a mesh from copies of the arrays; without triangles, the mesh has one or two vertices. Returns NULL if memory ran out,
 * a number is not finite, an index is out of range or the number of vertices is not allowed. */
cst_feature_mesh *cst_feature_mesh_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                          const cst_allocator *allocator);
void cst_feature_mesh_destroy(cst_feature_mesh *mesh);

/* Sets new vertex positions, keeps the triangles, and rebuilds the tree of the faces. The function allocates memory only in its
 * first calls. Returns false if memory ran out, or, with nothing changed, if a vertex coordinate is not finite. */
bool cst_feature_mesh_move(cst_feature_mesh *mesh, const double *vertex);

/* Makes a mesh deformable: a sheet that bends, with the given thickness (m). Two features of a deformable mesh are tested for
 * self contact only if every path along edges from one to the other is longer than `reach` (m). Returns false if memory ran
 * out. */
bool cst_feature_mesh_soften(cst_feature_mesh *mesh, double thickness, double reach);

/* Returns true if the unit vector n is normal to the mesh at a vertex: no edge that leaves the vertex rises towards n by an angle
 * whose sine exceeds `tilt`. `n`: direction to the touching body, in the frame of the mesh. */
bool cst_feature_vertex_faces(const cst_feature_mesh *mesh, int32_t vertex, const double *n, double tilt);

#endif
