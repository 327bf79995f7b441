#include "collide/feature_crossing.h"

#include <math.h>
#include <string.h>

#include "collide/broad_phase.h"
#include "math/vector3.h"

/* A triangle at the given pose. */
typedef struct placed_triangle {
    int32_t body;      /* index in scene->body */
    int32_t corner[3]; /* vertices of the mesh */
    double x[3][3];
} placed_triangle;

typedef struct triangle_list {
    const cst_feature_scene *scene;
    placed_triangle *triangle;
    cst_box *box;
    int count;
} triangle_list;

static void add_triangles(triangle_list *list, int32_t index, int pose)
{
    const cst_feature_body *body = list->scene->body + index;
    const double *vertex = body->vertex[pose] ? body->vertex[pose] : body->mesh->vertex;
    for (int32_t i = 0; i < body->mesh->faces; ++i) {
        placed_triangle *out = list->triangle + list->count;
        cst_box *box = list->box + list->count++;
        out->body = index;
        memcpy(out->corner, body->mesh->face + 3 * (size_t)i, sizeof out->corner);
        for (int k = 0; k < 3; ++k) {
            cst_apply3(body->R[pose], vertex + 3 * (size_t)out->corner[k], out->x[k]);
            cst_add3(1.0, body->x[pose], out->x[k]);
        }
        for (int c = 0; c < 3; ++c) {
            box->low[c] = fmin(out->x[0][c], fmin(out->x[1][c], out->x[2][c]));
            box->high[c] = fmax(out->x[0][c], fmax(out->x[1][c], out->x[2][c]));
        }
    }
}

static bool share_vertex(const placed_triangle *a, const placed_triangle *b)
{
    for (int i = 0; i < 9; ++i)
        if (a->corner[i / 3] == b->corner[i % 3])
            return true;
    return false;
}

static bool may_cross(const void *user, int32_t one, int32_t two)
{
    const triangle_list *list = user;
    const placed_triangle *a = list->triangle + one, *b = list->triangle + two;
    const cst_feature_scene *scene = list->scene;
    const cst_feature_body *body_a = scene->body + a->body, *body_b = scene->body + b->body;
    const uint8_t flags_a = scene->owner_flags[body_a->owner], flags_b = scene->owner_flags[body_b->owner];
    if (a->body == b->body)
        return body_a->mesh->soft && (flags_a & CST_OWNER_SELF_CONTACT) != 0 && !share_vertex(a, b);
    return (body_a->mesh->soft || body_b->mesh->soft) &&
           cst_owners_touch(scene->apart, scene->aparts, body_a->owner, flags_a, body_b->owner, flags_b);
}

/* Returns true if the segment from p to q intersects the interior of the triangle with the corners x, and writes the point of
 * intersection to *place. */
static bool intersects(const double *p, const double *q, double x[3][3], double *place)
{
    double e[3], f[3], n[3], from[3], to[3];
    cst_subtract3(x[1], x[0], e);
    cst_subtract3(x[2], x[0], f);
    cst_cross3(e, f, n);
    cst_subtract3(p, x[0], from);
    cst_subtract3(q, x[0], to);
    const double below = cst_dot3(from, n), above = cst_dot3(to, n);
    if (!(below * above < 0.0))
        return false;
    const double share = below / (below - above);
    for (int c = 0; c < 3; ++c)
        place[c] = p[c] + share * (q[c] - p[c]);
    for (int k = 0; k < 3; ++k) {
        double side[3], in[3], across[3];
        cst_subtract3(x[(k + 1) % 3], x[k], side);
        cst_subtract3(place, x[k], in);
        cst_cross3(side, in, across);
        if (!(cst_dot3(across, n) > 0.0))
            return false;
    }
    return true;
}

static bool cross(placed_triangle *a, placed_triangle *b, double *place)
{
    for (int k = 0; k < 3; ++k)
        if (intersects(a->x[k], a->x[(k + 1) % 3], b->x, place) || intersects(b->x[k], b->x[(k + 1) % 3], a->x, place))
            return true;
    return false;
}

static int count_crossings(triangle_list *list, int pose, cst_arena *arena, cst_feature_crossing *first)
{
    const cst_feature_scene *scene = list->scene;
    size_t triangles = 0;
    for (int k = 0; k < scene->bodies; ++k)
        triangles += (size_t)scene->body[k].mesh->faces;
    list->triangle = CST_TAKE_RAW(arena, placed_triangle, triangles);
    list->box = CST_TAKE_RAW(arena, cst_box, triangles);
    if (arena->failed)
        return -1;
    for (int k = 0; k < scene->bodies; ++k)
        add_triangles(list, k, pose);
    cst_pair_list rows;
    if (!cst_overlapping_boxes(list->box, list->count, may_cross, list, scene->threads, arena, &rows))
        return -1;
    int found = 0;
    for (int a = 0; a < list->count; ++a)
        for (int64_t i = rows.row_start[a]; i < rows.row_start[a + 1]; ++i) {
            placed_triangle *one = list->triangle + a, *two = list->triangle + rows.partner[i];
            double place[3];
            if (!cross(one, two, place) || found++ > 0)
                continue;
            first->owner[0] = scene->body[one->body].owner;
            first->owner[1] = scene->body[two->body].owner;
            memcpy(first->place, place, sizeof first->place);
        }
    return found;
}

int cst_feature_crossings(const cst_feature_scene *scene, int pose, cst_arena *arena, cst_feature_crossing *first)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    triangle_list list = {.scene = scene};
    bool soft = false;
    for (int k = 0; k < scene->bodies && !soft; ++k)
        soft = scene->body[k].mesh->soft;
    const int found = soft ? count_crossings(&list, pose, arena, first) : 0;
    cst_arena_release(arena, mark);
    return found;
}
