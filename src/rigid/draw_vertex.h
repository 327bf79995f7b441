/* Writes one vertex of the drawing of a 2D body or obstacle (body/body.h) to those output arrays that are not NULL. */
#ifndef CST_RIGID_DRAW_VERTEX_H
#define CST_RIGID_DRAW_VERTEX_H

static inline void cst_draw_vertex(double x, double y, double thickness, int at, double *position, double *radius)
{
    if (position) {
        position[3 * at] = x;
        position[3 * at + 1] = y;
        position[3 * at + 2] = 0.0;
    }
    if (radius)
        radius[at] = thickness;
}

#endif
