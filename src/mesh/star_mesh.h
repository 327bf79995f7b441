/* Closed triangle meshes around a body given by an implicit function: f < 0 inside, f > 0 outside.
 *
 * The body must be star-shaped: every point of its surface is visible from one inner point. The mesh starts as a geodesic sphere,
 * an icosahedron with each edge divided into `detail` equal parts, with 20 detail^2 triangles. Each vertex is moved to the
 * surface along a ray from the inner point. The mesh is then smoothed in several rounds, as in Lloyd's method. In each round,
 * every vertex moves 70 % of the way to the weighted mean of the centres of its triangles, and then back onto the surface along
 * the gradient of f. In the weighted mean of the centres of a vertex's triangles, the weight of a triangle is its area times the
 * relative density of triangles, a given function of the position. The triangles of the mesh become smaller where the given
 * density is larger.
 *
 * The computation uses only + - * / and square roots, so that the mesh is the same on every machine. */
#ifndef CST_MESH_STAR_MESH_H
#define CST_MESH_STAR_MESH_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_star_body {
    double (*distance)(const double x[3]); /* implicit function f, approximately the distance to the surface (m) */
    double (*weight)(const double x[3]);   /* relative density of triangles, > 0 */
    double center[3];                      /* inner point from which the whole surface is visible (m) */
    double reach;                          /* upper bound of the distance of the surface from `center` (m) */
} cst_star_body;

typedef struct cst_star_mesh {
    double *vertex;    /* array (vertices x 3): m */
    int32_t *triangle; /* array (triangles x 3): corners, counter-clockwise seen from outside */
    int vertices, triangles;
} cst_star_mesh;

enum { CST_STAR_DETAIL_MAX = 100 };

/* Makes the mesh of a body, with 1 <= detail <= CST_STAR_DETAIL_MAX. Returns false if memory ran out. */
bool cst_star_mesh_make(const cst_star_body *body, int detail, cst_arena *arena, cst_star_mesh *out);

#endif
