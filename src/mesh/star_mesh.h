/* Closed triangle meshes around a body given by an implicit function: f < 0 inside, f > 0 outside.
 *
 * The mesh starts as a geodesic sphere: an icosahedron with each edge divided into `detail` equal parts, which gives 20 detail^2
 * triangles. Each vertex is moved to the surface, along the ray from an inner point of the body in the direction of the vertex.
 * Every point of the surface must be visible from the inner point at which the rays start (the body is star-shaped). The vertices
 * are then smoothed as in Lloyd's method: every vertex moves to the weighted mean of the centres of its triangles, and back onto
 * the surface along the gradient of the implicit function f. A weight (relative density of triangles) makes triangles smaller
 * where more detail is needed.
 *
 * Only + - * / and square roots are used, so that the mesh is the same on every machine. */
#ifndef CST_MESH_STAR_MESH_H
#define CST_MESH_STAR_MESH_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_star_body {
    double (*distance)(const double x[3]); /* implicit function f, approximately the distance to the surface */
    double (*weight)(const double x[3]);   /* > 0 */
    double center[3];                      /* inner point from which the whole surface is visible (m) */
    double reach;                          /* largest distance of the surface from `center` (m) */
} cst_star_body;

typedef struct cst_star_mesh {
    double *vertex;    /* array (vertices x 3): m */
    int32_t *triangle; /* array (triangles x 3): corners, counter-clockwise seen from outside */
    int vertices, triangles;
} cst_star_mesh;

enum { CST_STAR_DETAIL_MAX = 100 };

/* 1 <= detail <= CST_STAR_DETAIL_MAX. Arrays are allocated in the arena. Returns false if memory ran out. */
bool cst_star_mesh_make(const cst_star_body *body, int detail, cst_arena *arena, cst_star_mesh *out);

#endif
