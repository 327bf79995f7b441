#include <math.h>
#include <string.h>

#include "render/picture_items.h"

#define SHARP 0.8        /* cosine of the angle from which on an edge between triangles is sharp */
#define SECOND_TONE 0.5f /* of the paper in the second colour of a ball */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cst_draw_ball(const cst_drawing_of *d, const cst_moment_item *item)
{
    const double *center = cst_drawn_place(d, item->first);
    const cst_rgb colour = d->colour[item->first];
    if (item->vertices > 2 && !d->depths) {
        cst_marking octants = {.kind = CST_MARKING_OCTANTS};
        const bool still = item->owner == CST_ITEM_OBSTACLE;
        octants.colour = still ? cst_rgb_mix(colour, d->theme->ink, 0.12f) : cst_rgb_mix(colour, d->theme->paper, SECOND_TONE);
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                octants.axis[i][k] = cst_drawn_place(d, item->first + 1 + i)[k] - center[k];
        cst_raster_mark(d->raster, &octants);
    }
    cst_raster_ball(d->raster, center, d->moment->radius[item->first], colour, CST_SHADING_LIT);
    cst_raster_mark(d->raster, NULL);
}

void cst_draw_plane(const cst_drawing_of *d, const cst_moment_item *item)
{
    if (item->vertices < 2 || d->depths)
        return;
    const double *at = cst_drawn_place(d, item->first), *tip = cst_drawn_place(d, item->first + 1);
    const double normal[3] = {tip[0] - at[0], tip[1] - at[1], tip[2] - at[2]};
    cst_plane_paint paint = {.fill = cst_rgb_mix(d->theme->paper, d->theme->matter, 0.6f),
                             .ink = d->theme->ink,
                             .reach = d->reach,
                             .spacing = d->spacing,
                             .density = d->style->density};
    memcpy(paint.center, d->center, sizeof paint.center);
    cst_raster_plane(d->raster, at, normal, &paint);
}

/* Twice the area along the normal. */
static void normal_of(const double *const *corner, double *out)
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = corner[1][k] - corner[0][k];
        b[k] = corner[2][k] - corner[0][k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void corners_of(const cst_drawing_of *d, const cst_moment_item *item, int t, const double **corner)
{
    const cst_triangle_row *triangle = &d->moment->triangle[item->first_triangle + t];
    for (int k = 0; k < 3; k++)
        corner[k] = cst_drawn_place(d, item->first + triangle->corner[k]);
}

void cst_draw_mesh(const cst_drawing_of *d, const cst_moment_item *item)
{
    double *smooth = d->scratch; /* sums over the triangles around each vertex */
    const double *corner[3];
    memset(smooth, 0, 3 * (size_t)item->vertices * sizeof *smooth);
    for (int t = 0; t < item->triangles; t++) {
        double own[3];
        corners_of(d, item, t, corner);
        normal_of(corner, own);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                smooth[3 * d->moment->triangle[item->first_triangle + t].corner[k] + c] += own[c];
    }
    for (int t = 0; t < item->triangles; t++) {
        const cst_triangle_row *triangle = &d->moment->triangle[item->first_triangle + t];
        double own[3];
        const double *normal[3];
        cst_rgb colour[3];
        corners_of(d, item, t, corner);
        normal_of(corner, own);
        for (int k = 0; k < 3; k++) {
            const double *around = smooth + 3 * triangle->corner[k];
            normal[k] = dot(around, own) > SHARP * sqrt(dot(around, around) * dot(own, own)) ? around : own;
            colour[k] = d->colour[item->first + triangle->corner[k]];
        }
        cst_raster_triangle(d->raster, corner, normal, colour, CST_SHADING_LIT);
    }
}
