/* Meshes of solids for drawing: a box and a cylinder along z, centred at the origin. The corners of a triangle are
 * counter-clockwise seen from outside. Array `vertex`: (vertices x 3); array `triangle`: (triangles x 3). */
#ifndef CST_RIGID_SOLID_DRAWING_H
#define CST_RIGID_SOLID_DRAWING_H

#include <stdint.h>

enum {
    CST_BOX_VERTICES = 8,
    CST_BOX_TRIANGLES = 12,
    CST_CYLINDER_SIDES = 48,
    CST_CYLINDER_VERTICES = 2 * CST_CYLINDER_SIDES + 2,
    CST_CYLINDER_TRIANGLES = 4 * CST_CYLINDER_SIDES
};

/* Coordinate k of the box vertex with the number i is half[k] if bit k of the number i is set, and -half[k] if not. */
void cst_box_vertices(const double half[3], double *vertex);
void cst_box_triangles(int32_t *triangle);

void cst_cylinder_vertices(double radius, double half_height, double *vertex);
void cst_cylinder_triangles(int32_t *triangle);

#endif
