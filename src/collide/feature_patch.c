#include "collide/feature_patch.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "collide/broad_phase.h"
#include "math/vector3.h"

static const cst_box NOTHING = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

static void include(cst_box *box, const double *x)
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = fmin(box->low[k], x[k]);
        box->high[k] = fmax(box->high[k], x[k]);
    }
}

static void place_vertex(const cst_feature_body *body, int32_t id, cst_patch_vertex *out)
{
    out->id = id;
    for (int pose = 0; pose < 2; ++pose) {
        const double *vertex = body->vertex[pose] ? body->vertex[pose] : body->mesh->vertex;
        cst_apply3(body->R[pose], vertex + 3 * (size_t)id, out->x[pose]);
        cst_add3(1.0, body->x[pose], out->x[pose]);
    }
}

/* Computes a bounding box, in the world frame, of the motion of the box `own`, which is given in the body's frame and moves
 * with the body. */
static cst_box placed_box(const cst_feature_body *body, const cst_box *own)
{
    cst_box box = NOTHING;
    for (int pose = 0; pose < 2; ++pose) {
        double center[3], half[3], at[3];
        for (int k = 0; k < 3; ++k) {
            center[k] = 0.5 * (own->low[k] + own->high[k]);
            half[k] = 0.5 * (own->high[k] - own->low[k]);
        }
        cst_apply3(body->R[pose], center, at);
        cst_add3(1.0, body->x[pose], at);
        for (int k = 0; k < 3; ++k) {
            const double *row = body->R[pose] + 3 * k;
            const double wide = fabs(row[0]) * half[0] + fabs(row[1]) * half[1] + fabs(row[2]) * half[2];
            box.low[k] = fmin(box.low[k], at[k] - wide);
            box.high[k] = fmax(box.high[k], at[k] + wide);
        }
    }
    return box;
}

cst_box cst_feature_body_box(const cst_feature_body *body)
{
    cst_box box = placed_box(body, &body->mesh->whole);
    cst_box_widen(&box, body->rounding + body->stretch);
    return box;
}

static cst_box box_of(const cst_feature_patch *patch, const int32_t *vertex, int count)
{
    cst_box box = NOTHING;
    for (int i = 0; i < count; ++i)
        for (int pose = 0; pose < 2; ++pose)
            include(&box, patch->vertex[vertex[i]].x[pose]);
    return box;
}

static void add_face(cst_feature_patch *patch, int32_t id, int32_t a, int32_t b, int32_t c)
{
    cst_patch_face *face = patch->face + patch->faces++;
    *face = (cst_patch_face){.id = id, .corner = {a, b, c}};
    face->box = box_of(patch, face->corner, 3);
}

static void add_edge(cst_feature_patch *patch, int32_t id, int32_t a, int32_t b)
{
    cst_patch_edge *edge = patch->edge + patch->edges++;
    *edge = (cst_patch_edge){.id = id, .end = {a, b}};
    edge->box = box_of(patch, edge->end, 2);
}

static bool take(cst_feature_patch *patch, int vertices, int edges, int faces, cst_arena *arena)
{
    patch->vertex = CST_TAKE_RAW(arena, cst_patch_vertex, vertices);
    patch->probe = CST_TAKE_RAW(arena, int32_t, vertices);
    patch->edge = CST_TAKE_RAW(arena, cst_patch_edge, edges);
    patch->face = CST_TAKE_RAW(arena, cst_patch_face, faces);
    return !arena->failed;
}

bool cst_feature_patch_whole(const cst_feature_body *body, cst_arena *arena, cst_feature_patch *out)
{
    const cst_feature_mesh *mesh = body->mesh;
    *out = (cst_feature_patch){.body = body, .vertices = mesh->vertices, .box = NOTHING};
    if (!take(out, mesh->vertices, mesh->edges, mesh->faces, arena))
        return false;
    for (int32_t i = 0; i < mesh->vertices; ++i) {
        place_vertex(body, i, out->vertex + i);
        include(&out->box, out->vertex[i].x[0]);
        include(&out->box, out->vertex[i].x[1]);
        if (mesh->vertex_touches[i])
            out->probe[out->probes++] = i;
    }
    for (int32_t i = 0; i < mesh->edges; ++i)
        if (mesh->edge[i].touches)
            add_edge(out, i, mesh->edge[i].from, mesh->edge[i].to);
    for (int32_t i = 0; i < mesh->faces; ++i)
        add_face(out, i, mesh->face[3 * i], mesh->face[3 * i + 1], mesh->face[3 * i + 2]);
    cst_box_widen(&out->box, body->rounding);
    return true;
}

/* Computes a bounding box, in the frame of the body, that contains the box `box` of the world frame at both poses of the body. */
static cst_box own_box(const cst_feature_body *body, const cst_box *box)
{
    cst_box own = NOTHING;
    for (int pose = 0; pose < 2; ++pose)
        for (int corner = 0; corner < 8; ++corner) {
            double from[3], x[3];
            for (int k = 0; k < 3; ++k)
                from[k] = (corner >> k & 1 ? box->high[k] : box->low[k]) - body->x[pose][k];
            cst_apply_transposed3(body->R[pose], from, x);
            include(&own, x);
        }
    return own;
}

static int32_t corner_index(const cst_feature_mesh *mesh, int32_t face, int32_t vertex)
{
    const int32_t *corner = mesh->face + 3 * (size_t)face;
    return corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
}

/* Computes the positions of one face and of the vertices and edges that the mesh lists with this face. */
static void add_near_face(cst_feature_patch *patch, int32_t id)
{
    const cst_feature_mesh *mesh = patch->body->mesh;
    const int32_t first = patch->vertices;
    for (int k = 0; k < 3; ++k)
        place_vertex(patch->body, mesh->face[3 * (size_t)id + (size_t)k], patch->vertex + patch->vertices++);
    add_face(patch, id, first, first + 1, first + 2);
    for (int32_t i = mesh->feature_start[id]; i < mesh->feature_start[id + 1]; ++i) {
        const int32_t feature = mesh->owned[i] / 2;
        if (mesh->owned[i] % 2 == 0) {
            if (mesh->vertex_touches[feature])
                patch->probe[patch->probes++] = first + corner_index(mesh, id, feature);
        } else if (mesh->edge[feature].touches) {
            const cst_feature_edge *edge = mesh->edge + feature;
            add_edge(patch, feature, first + corner_index(mesh, id, edge->from), first + corner_index(mesh, id, edge->to));
        }
    }
}

static int by_number(const void *one, const void *two)
{
    const int32_t a = *(const int32_t *)one, b = *(const int32_t *)two;
    return (a > b) - (a < b);
}

bool cst_feature_patch_near(const cst_feature_body *body, const cst_box *box, cst_arena *arena, cst_feature_patch *out)
{
    const cst_feature_mesh *mesh = body->mesh;
    cst_box own = own_box(body, box);
    cst_box_widen(&own, body->rounding + body->stretch);
    *out = (cst_feature_patch){.body = body, .box = *box};
    const int faces = cst_box_tree_query(&mesh->tree, &own, NULL, 0);
    int32_t *face = CST_TAKE_RAW(arena, int32_t, cst_roomy(faces)), *scratch = CST_TAKE_RAW(arena, int32_t, cst_roomy(faces));
    if (arena->failed)
        return false;
    cst_box_tree_query(&mesh->tree, &own, face, faces);
    cst_merge_sort(face, scratch, (size_t)faces, sizeof *face, by_number);
    int edges = 0;
    for (int i = 0; i < faces; ++i)
        edges += mesh->feature_start[face[i] + 1] - mesh->feature_start[face[i]];
    if (!take(out, (int)cst_roomy(3 * (int64_t)faces), (int)cst_roomy(edges), (int)cst_roomy(faces), arena))
        return false;
    for (int i = 0; i < faces; ++i)
        add_near_face(out, face[i]);
    return true;
}
