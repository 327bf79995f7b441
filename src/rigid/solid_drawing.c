#include "rigid/solid_drawing.h"

#include <math.h>
#include <string.h>

void cst_box_vertices(const double half[3], double *vertex)
{
    for (int i = 0; i < CST_BOX_VERTICES; i++)
        for (int k = 0; k < 3; k++)
            vertex[3 * i + k] = (i >> k) & 1 ? half[k] : -half[k];
}

void cst_box_triangles(int32_t *triangle)
{
    static const int32_t all[3 * CST_BOX_TRIANGLES] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    memcpy(triangle, all, sizeof all);
}

void cst_cylinder_vertices(double radius, double half_height, double *vertex)
{
    for (int i = 0; i < CST_CYLINDER_SIDES; i++) {
        const double angle = 6.283185307179586 * i / CST_CYLINDER_SIDES, x = radius * cos(angle), y = radius * sin(angle);
        memcpy(vertex + 6 * i, (const double[6]){x, y, -half_height, x, y, half_height}, 6 * sizeof *vertex);
    }
    memcpy(vertex + 6 * CST_CYLINDER_SIDES, (const double[6]){0.0, 0.0, -half_height, 0.0, 0.0, half_height}, 6 * sizeof *vertex);
}

void cst_cylinder_triangles(int32_t *triangle)
{
    const int32_t below = 2 * CST_CYLINDER_SIDES, above = below + 1;
    for (int32_t i = 0; i < CST_CYLINDER_SIDES; i++) {
        const int32_t a = 2 * i, b = 2 * ((i + 1) % CST_CYLINDER_SIDES);
        memcpy(triangle + 12 * i, (const int32_t[12]){a, b, b + 1, a, b + 1, a + 1, below, b, a, above, a + 1, b + 1},
               12 * sizeof *triangle);
    }
}
