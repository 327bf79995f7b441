#include "rigid/solid_edges.h"

#include "math/vector3.h"

int cst_solid_edges(const cst_solid *solid)
{
    switch (solid->kind) {
    case CST_SOLID_SPHERE:
    case CST_SOLID_CAPSULE:
        return 1;
    case CST_SOLID_BOX:
        return 12;
    default:
        return 0;
    }
}

double cst_solid_edge(const cst_solid *solid, int index, double *a, double *b)
{
    double from[3] = {0}, to[3] = {0}, thickness = solid->size[0];
    if (solid->kind == CST_SOLID_CAPSULE) {
        to[2] = solid->size[1];
        from[2] = -to[2];
    } else if (solid->kind == CST_SOLID_BOX) { /* along the axis index / 4, at one of four corners of the other two */
        const int along = index / 4;
        for (int c = 0, bit = 0; c < 3; c++) {
            const double side = c == along ? -1.0 : (index >> bit++ & 1) ? 1.0 : -1.0;
            from[c] = side * solid->size[c];
            to[c] = c == along ? -from[c] : from[c];
        }
        thickness = solid->rounding;
    }
    cst_apply3(solid->frame, from, a);
    cst_apply3(solid->frame, to, b);
    cst_add3(1.0, solid->position, a);
    cst_add3(1.0, solid->position, b);
    return thickness;
}
