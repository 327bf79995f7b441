#include "render/contact_marks.h"

#include <math.h>

/* Lengths of the arrows that show contact forces, divided by the smaller side of the picture. STRONG: the arrow for the 98th
 * percentile of all contact forces is at least STRONG times as long as the smaller side of the picture. MIDDLE: the arrow for the
 * median of all contact forces is at least MIDDLE times as long as the smaller side of the picture. LONGEST: no arrow is longer
 * than LONGEST times the smaller side of the picture. */
#define STRONG 0.14
#define MIDDLE 0.05
#define LONGEST 0.3

static double share_per_newton(const cst_survey *survey)
{
    const cst_spread *force = &survey->force;
    return force->typical > 0.0 && force->middle > 0.0 ? fmax(STRONG / force->typical, MIDDLE / force->middle) : 0.0;
}

double cst_contact_marks_newtons(const cst_survey *survey, double share)
{
    double per_newton = share_per_newton(survey);
    return per_newton > 0.0 ? share / per_newton : 0.0;
}

static void draw_arrow(cst_raster *raster, double x, double y, double to_x, double to_y, double depth, double density,
                       const cst_flat_paint *paint)
{
    double dx = to_x - x, dy = to_y - y, length = hypot(dx, dy);
    if (!(length >= 1.5 * density))
        return;
    double slim = fmin(1.0, length / (14.0 * density)), head = fmin(9.0 * density, 0.6 * length);
    const double across[2] = {1.1 * density * slim, 4.2 * density * slim};
    const double local[7][2] = {{0, -across[0]}, {length - head, -across[0]}, {length - head, -across[1]},
                                {length, 0},     {length - head, across[1]},  {length - head, across[0]},
                                {0, across[0]}};
    double corner[14];
    dx /= length;
    dy /= length;
    for (int i = 0; i < 7; i++) {
        corner[2 * i] = x + local[i][0] * dx - local[i][1] * dy;
        corner[2 * i + 1] = y + local[i][0] * dy + local[i][1] * dx;
    }
    cst_raster_polygon(raster, corner, 7, 0.0, depth, paint);
}

void cst_contact_marks_draw(cst_raster *raster, const cst_moment *moment, const cst_survey *survey, const cst_theme *theme,
                            const cst_view *view, double density)
{
    double side = fmin(view->width, view->height), per_newton = share_per_newton(survey);
    for (int dots = 0; dots < 2; dots++) /* the dots of all contacts are drawn over the arrows of their forces */
        for (int i = 0; i < moment->contacts; i++) {
            const cst_contact_view *contact = &moment->contact[i];
            const double *f = contact->force;
            double place[3], tip[3], end[3], x, y, to_x, to_y;
            cst_view_place(view, contact->position, place);
            if (view->perspective && place[2] <= view->nearest)
                continue;
            double metres = cst_view_metres(view, place[2]);
            /* in planar scenes, dots and arrows of contacts are drawn in front of all bodies and obstacles */
            double depth = view->perspective ? place[2] * (1.0 - 1e-3) : -1e30;
            cst_view_pixel(view, place, &x, &y);
            const cst_rgb colour = cst_case_colour(contact->contact_case);
            if (dots) {
                bool off = contact->contact_case == CST_CASE_TAKE_OFF; /* small dot without a border */
                const cst_flat_paint dot = {
                    .fill = colour, .edge = theme->paper, .edge_width = off ? 0.0f : (float)(1.5 * density)};
                cst_raster_disk(raster, x, y, (off ? 2.0 : 4.5) * density, depth, &dot);
                continue;
            }
            double size = hypot(hypot(f[0], f[1]), f[2]), pixels = fmin(side * per_newton * size, side * LONGEST);
            for (int k = 0; k < 3; k++)
                tip[k] = contact->position[k] + (size > 0.0 ? pixels * metres * f[k] / size : 0.0);
            cst_view_place(view, tip, end);
            if (view->perspective && end[2] <= view->nearest)
                continue;
            cst_view_pixel(view, end, &to_x, &to_y);
            draw_arrow(raster, x, y, to_x, to_y, depth, density, &(cst_flat_paint){.fill = colour});
        }
}
