/* Closed meshes of triangles around a body that an implicit function describes: f < 0 inside, f > 0 outside.
 *
 * The vertices of a geodesic sphere (an icosahedron, each edge cut into `detail` pieces: 20 detail^2 triangles) go out from a point inside
 * along rays to the first place where f = 0, so all of the body must be seen from that point. They are then evened out, as in Lloyd's
 * method: every vertex moves to the weighted mean of the centres of the triangles around it and back onto the surface along the gradient
 * of f. A weight (triangles per area, relative) makes triangles smaller where there is more to show.
 *
 * Only + - * / and square roots are used: the same mesh on every machine. */
#ifndef CST_MESH_STAR_MESH_H
#define CST_MESH_STAR_MESH_H

#include <stdint.h>

#include "base/arena.h"

typedef struct cst_star_body {
    double (*distance)(const double x[3]); /* f, about as large as the distance to the surface */
    double (*weight)(const double x[3]);   /* > 0 */
    double center[3];                      /* m: inside, sees the whole surface */
    double reach;                          /* m: no part is farther from the centre */
} cst_star_body;

typedef struct cst_star_mesh {
    double *vertex;    /* (vertices x 3) m */
    int32_t *triangle; /* (triangles x 3), counter-clockwise seen from outside */
    int vertices, triangles;
} cst_star_mesh;

enum { CST_STAR_DETAIL_MAX = 100 };

/* 1 <= detail <= CST_STAR_DETAIL_MAX. Arrays are in the arena. False: out of memory. */
bool cst_star_mesh_make(const cst_star_body *body, int detail, cst_arena *arena, cst_star_mesh *out);

#endif
