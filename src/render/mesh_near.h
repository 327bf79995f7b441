/* The vertex of a mesh next to a place: where a contact shows on a sheet. */
#ifndef CST_RENDER_MESH_NEAR_H
#define CST_RENDER_MESH_NEAR_H

#include <stdbool.h>

typedef struct cst_mesh_near cst_mesh_near;

/* position: (vertices x 3), kept by the caller; vertices >= 1. NULL without memory. */
cst_mesh_near *cst_mesh_near_new(const double *position, int vertices);
void cst_mesh_near_free(cst_mesh_near *near); /* NULL is fine */

/* Of several as near, the one with the least x, then the least number. */
int cst_mesh_near_find(const cst_mesh_near *near, const double *place);

#endif
