/* Vertices and triangles of solids that are drawn as meshes: box and cylinder, centred at the origin. The corners of a
 * triangle are in counter-clockwise order seen from outside. The arrays `vertex` have (vertices x 3) entries, and the arrays
 * of triangles have (triangles x 3) entries. */
#ifndef CST_RIGID_SOLID_DRAWING_H
#define CST_RIGID_SOLID_DRAWING_H

#include <stdint.h>

enum {
    CST_BOX_VERTICES = 8,
    CST_BOX_TRIANGLES = 12,
    CST_CYLINDER_SIDES = 48,
    CST_CYLINDER_VERTICES = 2 * CST_CYLINDER_SIDES + 2, /* two circles and two centres */
    CST_CYLINDER_TRIANGLES = 4 * CST_CYLINDER_SIDES
};

/* Computes the vertices of a box. Coordinate k of vertex i of the box is half[k] if bit k of i is set, and -half[k] if not. */
void cst_box_vertices(const double half[3], double *vertex);
void cst_box_triangles(int32_t *triangle);

void cst_cylinder_vertices(double radius, double half_height, double *vertex); /* along z */
void cst_cylinder_triangles(int32_t *triangle);

#endif
