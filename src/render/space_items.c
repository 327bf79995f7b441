#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vector3.h"
#include "render/picture_items.h"

#define SHARP 0.7 /* cosine of the largest angle between the normals of two triangles that are shaded as one smooth surface */
/* a body that is a ball has two colours: share of the background colour that is mixed into the second one */
#define SECOND_TONE 0.5f

void cst_draw_ball(const cst_drawing_of *d, const cst_moment_item *item)
{
    const double *center = cst_drawn_place(d, item->first);
    const bool still = item->owner == CST_ITEM_OBSTACLE;
    const cst_rgb colour = still ? cst_rgb_mix(d->theme->matter, d->theme->ink, 0.1f) : d->colour[item->first];
    if (item->vertices > 2 && !d->depths) {
        cst_marking octants = {.kind = CST_MARKING_OCTANTS};
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

/* Computes the normal vector of a triangle; its length is twice the area of the triangle. */
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

/* Lists the triangles around each vertex. `list` receives the triangles around vertex 0, then those around vertex 1, and so on.
 * end[v]: index after the last triangle of vertex v in `list`. */
static void list_triangles(const cst_triangle_row *triangle, int triangles, int vertices, int *end, int *list)
{
    memset(end, 0, ((size_t)vertices + 1) * sizeof *end);
    for (int k = 0; k < 3 * triangles; k++)
        end[triangle[k / 3].corner[k % 3] + 1]++;
    for (int v = 0; v < vertices; v++)
        end[v + 1] += end[v];
    for (int k = 0; k < 3 * triangles; k++) /* end[v]: index of the next free entry in the list of triangles around vertex v */
        list[end[triangle[k / 3].corner[k % 3]]++] = k / 3;
}

/* Returns true if a mesh is open (has a border), like a sheet. On a closed mesh, every edge is traversed once in each
 * direction. For each edge of each triangle of the mesh, the code computes a hash (finaliser of SplitMix64) of the two vertex
 * indices. The hash is added to a sum if the triangle traverses the edge from the smaller to the larger index, and subtracted
 * otherwise. The signed sum of the hashes is 0 for a closed mesh, and nonzero for an open mesh except with a probability of
 * 2^-64. */
static bool has_border(const cst_triangle_row *triangle, int triangles)
{
    uint64_t sum = 0;
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint64_t a = (uint32_t)triangle[t].corner[k], b = (uint32_t)triangle[t].corner[(k + 1) % 3];
            uint64_t mix = (a < b ? a << 32 | b : b << 32 | a) + 0x9e3779b97f4a7c15u;
            mix = (mix ^ (mix >> 30)) * 0xbf58476d1ce4e5b9u;
            mix = (mix ^ (mix >> 27)) * 0x94d049bb133111ebu;
            mix ^= mix >> 31;
            sum += a < b ? mix : 0u - mix;
        }
    return sum != 0;
}

bool cst_draw_mesh(const cst_drawing_of *d, const cst_moment_item *item)
{
    const cst_triangle_row *triangle = d->moment->triangle + item->first_triangle;
    const int triangles = item->triangles, vertices = item->vertices;
    const bool sheet = has_border(triangle, triangles);
    double *own = malloc(((size_t)triangles + 1) * 3 * sizeof *own);
    int *end = malloc(((size_t)vertices + 1) * sizeof *end), *list = malloc(((size_t)triangles + 1) * 3 * sizeof *list);
    bool ok = own && end && list;
    const double *corner[3], *normals[3];
    const cst_rgb still = cst_rgb_mix(d->theme->matter, d->theme->ink, 0.1f);
    for (int t = 0; t < triangles && ok; t++) {
        for (int k = 0; k < 3; k++)
            corner[k] = cst_drawn_place(d, item->first + triangle[t].corner[k]);
        normal_of(corner, own + 3 * t);
    }
    if (ok)
        list_triangles(triangle, triangles, vertices, end, list);
    for (int t = 0; t < triangles && ok; t++) {
        double normal[3][3] = {{0}};
        cst_rgb colour[3];
        for (int k = 0; k < 3; k++) {
            const int v = triangle[t].corner[k];
            for (int i = v > 0 ? end[v - 1] : 0; i < end[v]; i++) {
                const double *other = own + 3 * list[i], *mine = own + 3 * t;
                if (sheet || list[i] == t || cst_dot3(other, mine) > SHARP * sqrt(cst_dot3(other, other) * cst_dot3(mine, mine)))
                    for (int c = 0; c < 3; c++)
                        normal[k][c] += other[c];
            }
            corner[k] = cst_drawn_place(d, item->first + v);
            normals[k] = normal[k];
            colour[k] = item->owner == CST_ITEM_BODY ? d->colour[item->first + v] : still;
        }
        cst_raster_triangle(d->raster, corner, normals, colour, CST_SHADING_LIT);
    }
    free(own);
    free(end);
    free(list);
    return ok;
}
