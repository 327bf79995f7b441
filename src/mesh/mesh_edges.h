/* List of the edges of a triangle mesh. Each edge occurs once, with the triangles on its two sides. */
#ifndef CST_MESH_MESH_EDGES_H
#define CST_MESH_MESH_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct cst_mesh_edge {
    int32_t from, to; /* indices of the two vertices of the edge, from < to */
    /* `left`: first triangle whose boundary goes along the edge from `from` to `to`. `right`: first triangle whose boundary goes
     * along the edge from `to` to `from`. -1: none */
    int32_t left, right;
    int32_t uses; /* number of triangles that share the edge */
} cst_mesh_edge;

/* Returns true if all corners of the triangles are indices of existing vertices. */
bool cst_mesh_corners_exist(const int32_t *triangle, int triangles, int vertices);

/* Sets *out to the edges, sorted by `from` and `to` and allocated in the arena. Returns the number of edges, or -1 if memory ran
 * out or there are more than INT_MAX / 3 triangles. */
int cst_mesh_edges(const int32_t *triangle, int triangles, cst_arena *arena, cst_mesh_edge **out);

/* Returns the index of the first edge at which the mesh is not closed, or -1 for a closed mesh. In a closed mesh, each edge
 * belongs to exactly two triangles, which go along it in opposite directions. */
int cst_mesh_open_edge(const cst_mesh_edge *edge, int edges);

#endif
