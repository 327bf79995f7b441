/* Finds the vertex of a mesh nearest to a point; used to show contacts on sheets. */
#ifndef CST_RENDER_MESH_NEAR_H
#define CST_RENDER_MESH_NEAR_H

#include <stdbool.h>

typedef struct cst_mesh_near cst_mesh_near;

/* `position`: coordinates of the vertices, three for each; the caller must not free this array before cst_mesh_near_free. There
 * is at least one vertex. Returns NULL if memory ran out. */
cst_mesh_near *cst_mesh_near_new(const double *position, int vertices);
void cst_mesh_near_free(cst_mesh_near *near); /* NULL is fine */

/* If several vertices are equally near, returns the one with the smallest x; of those with the same x, the one with the smallest
 * index. */
int cst_mesh_near_find(const cst_mesh_near *near, const double *place);

#endif
