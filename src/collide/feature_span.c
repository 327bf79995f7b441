#include "collide/feature_span.h"

#include "base/merge_sort.h"
#include "base/order.h"
#include "collide/broad_phase.h"
#include "math/vector3.h"

/* A contact of a vertex of the sheet: the vertex, the kind and index of the touched feature, and the index of the contact. */
typedef struct corner_touch {
    int32_t vertex, kind, index, touch;
} corner_touch;

static int compare(const void *one, const void *two)
{
    const corner_touch *p = one, *q = two;
    return cst_order_keys((int64_t[]){p->vertex, p->kind, p->index}, (int64_t[]){q->vertex, q->kind, q->index}, 3);
}

typedef struct span {
    const cst_feature_touch *touch;
    const cst_feature_mesh *mesh;
    int32_t sheet;
    corner_touch *corner; /* sorted */
    int corners;
} span;

static const cst_material_place *place_on(const span *s, const cst_feature_touch *touch, bool sheet)
{
    return (touch->a.owner == s->sheet) == sheet ? &touch->a : &touch->b;
}

/* Returns the contact of a vertex with the feature `other` of the round body, or NULL if there is none. */
static const cst_feature_touch *find(const span *s, int32_t vertex, const cst_material_place *other)
{
    const corner_touch wanted = {.vertex = vertex, .kind = (int32_t)other->kind, .index = other->index};
    int low = 0, high = s->corners;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(s->corner + middle, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->corners && compare(s->corner + low, &wanted) == 0 ? s->touch + s->corner[low].touch : NULL;
}

/* Returns true if a contact of an edge or a face of the sheet is redundant (feature_span.h). */
static bool is_said(const span *s, const cst_feature_touch *touch, double little)
{
    static const double SAME_SIDE = 0.984807753012208; /* cosine of 10 degrees */
    const cst_material_place *own = place_on(s, touch, true), *other = place_on(s, touch, false);
    int32_t vertex[3];
    double share[3], gap = 0.0;
    int corners = 2;
    if (own->kind == CST_FEATURE_EDGE) {
        const cst_feature_edge *edge = s->mesh->edge + own->index;
        vertex[0] = edge->from;
        vertex[1] = edge->to;
        share[0] = 1.0 - own->c[0];
        share[1] = own->c[0];
    } else if (own->kind == CST_FEATURE_FACE) {
        corners = 3;
        for (int k = 0; k < corners; ++k)
            vertex[k] = s->mesh->face[3 * (int64_t)own->index + k];
        share[0] = 1.0 - own->c[0] - own->c[1];
        share[1] = own->c[0];
        share[2] = own->c[1];
    } else {
        return false;
    }
    for (int k = 0; k < corners; ++k) {
        const cst_feature_touch *of = find(s, vertex[k], other);
        if (!of || !(cst_dot3(of->normal, touch->normal) > SAME_SIDE))
            return false;
        gap += share[k] * of->gap;
    }
    return gap - touch->gap < little;
}

int cst_feature_span(cst_feature_touch *touch, int touches, const cst_feature_mesh *mesh, int32_t sheet, double radius,
                     double little, cst_arena *scratch)
{
    /* A sphere of radius r rises by l^2 / (6 r) above the centre of an equilateral triangle of edge length l whose corners lie on
     * the sphere. */
    if (!(mesh->longest * mesh->longest / (6.0 * radius) < little))
        return touches;
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    span s = {.touch = touch, .mesh = mesh, .sheet = sheet, .corner = CST_TAKE_RAW(scratch, corner_touch, cst_roomy(touches))};
    corner_touch *room = CST_TAKE_RAW(scratch, corner_touch, cst_roomy(touches));
    bool *goes = CST_TAKE_RAW(scratch, bool, cst_roomy(touches));
    if (scratch->failed)
        return -1;
    for (int i = 0; i < touches; ++i) {
        const cst_material_place *own = place_on(&s, touch + i, true), *other = place_on(&s, touch + i, false);
        if (own->kind == CST_FEATURE_VERTEX)
            s.corner[s.corners++] = (corner_touch){own->index, (int32_t)other->kind, other->index, i};
    }
    cst_merge_sort(s.corner, room, (size_t)s.corners, sizeof *room, compare);
    for (int i = 0; i < touches; ++i)
        goes[i] = is_said(&s, touch + i, little);
    const int left = cst_feature_touches_left(touch, touches, goes);
    cst_arena_release(scratch, mark);
    return left;
}
