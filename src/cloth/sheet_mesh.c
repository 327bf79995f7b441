#include "cloth/sheet_mesh.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "mesh/mesh_edges.h"

double cst_hinge_angle(const double *from, const double *to, const double *left, const double *right)
{
    double e[3], p[3], q[3], n[3], m[3], across[3];
    cst_subtract3(to, from, e);
    cst_subtract3(left, from, p);
    cst_subtract3(right, from, q);
    cst_cross3(e, p, n);
    cst_cross3(q, e, m);
    cst_cross3(m, n, across);
    return atan2(cst_dot3(e, across) / sqrt(cst_dot3(e, e)), cst_dot3(n, m));
}

/* ----------------------------------------------------------------------------------------------------------------- lists */

static bool take(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *mesh)
{
    const size_t corners = (size_t)mesh->corners, three = 3 * (size_t)mesh->triangles;
    mesh->rest = CST_TAKE(arena, double, 2 * corners);
    mesh->node_of = CST_TAKE(arena, int32_t, corners);
    mesh->corner = CST_TAKE(arena, int32_t, three);
    mesh->face = CST_TAKE(arena, int32_t, three);
    mesh->area = CST_TAKE(arena, double, mesh->triangles);
    mesh->beside = CST_TAKE(arena, int32_t, three);
    mesh->hinge_of = CST_TAKE(arena, int32_t, three);
    mesh->face_of = CST_TAKE(arena, int32_t, mesh->nodes);
    mesh->node_area = CST_TAKE(arena, double, mesh->nodes);
    if (arena->failed)
        return false;
    memcpy(mesh->rest, def->rest, sizeof(double) * 2 * corners);
    memcpy(mesh->corner, def->triangle, sizeof(int32_t) * three);
    for (int i = 0; i < mesh->corners; ++i)
        mesh->node_of[i] = def->node_of ? def->node_of[i] : i;
    for (size_t i = 0; i < three; ++i)
        mesh->face[i] = mesh->node_of[mesh->corner[i]];
    return true;
}

static void measure(cst_sheet_mesh *mesh)
{
    mesh->shortest_edge = HUGE_VAL;
    for (int i = 0; i < mesh->nodes; ++i)
        mesh->face_of[i] = -1;
    for (int32_t i = 0; i < mesh->triangles; ++i) {
        const double *a = mesh->rest + 2 * mesh->corner[3 * i], *b = mesh->rest + 2 * mesh->corner[3 * i + 1],
                     *c = mesh->rest + 2 * mesh->corner[3 * i + 2];
        mesh->area[i] = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
        mesh->shortest_edge =
            fmin(mesh->shortest_edge,
                 fmin(hypot(b[0] - a[0], b[1] - a[1]), fmin(hypot(c[0] - b[0], c[1] - b[1]), hypot(a[0] - c[0], a[1] - c[1]))));
        for (int k = 0; k < 3; ++k) {
            const int32_t node = mesh->face[3 * i + k];
            mesh->node_area[node] += mesh->area[i] / 3.0;
            mesh->face_of[node] = mesh->face_of[node] < 0 ? i : mesh->face_of[node];
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------------- hinges */

/* Returns which corner (0, 1 or 2) of the triangle is at the given node. */
static int place_of(const cst_sheet_mesh *mesh, int32_t triangle, int32_t node)
{
    const int32_t *face = mesh->face + 3 * (size_t)triangle;
    return face[0] == node ? 0 : face[1] == node ? 1 : 2;
}

static const double *rest_of(const cst_sheet_mesh *mesh, int32_t triangle, int place)
{
    return mesh->rest + 2 * (size_t)mesh->corner[3 * (size_t)triangle + (size_t)(place % 3)];
}

static void make_hinge(cst_sheet_mesh *mesh, const cst_mesh_edge *edge, const double *position, bool bent, int32_t index)
{
    const int32_t both[2] = {edge->left, edge->right};
    cst_sheet_hinge *hinge = mesh->hinge + index;
    *hinge = (cst_sheet_hinge){.node = {edge->from, edge->to}, .triangle = {edge->left, edge->right}};
    for (int side = 0; side < 2; ++side) {
        const int32_t t = both[side];
        const int at = place_of(mesh, t, side == 0 ? edge->from : edge->to); /* start of the edge */
        const double *a = rest_of(mesh, t, at), *b = rest_of(mesh, t, at + 1);
        hinge->node[2 + side] = mesh->face[3 * (size_t)t + (size_t)((at + 2) % 3)];
        hinge->direction[side] = atan2(b[1] - a[1], b[0] - a[0]);
        hinge->length += 0.5 * hypot(b[0] - a[0], b[1] - a[1]);
        hinge->area += mesh->area[t];
        mesh->beside[3 * (size_t)t + (size_t)at] = both[1 - side];
        mesh->hinge_of[3 * (size_t)t + (size_t)at] = index;
    }
    if (bent)
        hinge->angle = cst_hinge_angle(position + 3 * (size_t)hinge->node[0], position + 3 * (size_t)hinge->node[1],
                                       position + 3 * (size_t)hinge->node[2], position + 3 * (size_t)hinge->node[3]);
}

static bool list_hinges(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *mesh)
{
    cst_mesh_edge *edge;
    const int edges = cst_mesh_edges(mesh->face, mesh->triangles, arena, &edge);
    mesh->hinge = edges < 0 ? NULL : CST_TAKE(arena, cst_sheet_hinge, edges);
    if (!mesh->hinge)
        return false;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangles; ++i)
        mesh->beside[i] = mesh->hinge_of[i] = -1;
    for (int i = 0; i < edges; ++i)
        if (edge[i].uses == 2 && edge[i].left >= 0 && edge[i].right >= 0)
            make_hinge(mesh, edge + i, def->position, def->bent_at_rest, mesh->hinges++);
    return true;
}

void cst_sheet_unfold(const cst_sheet_mesh *mesh, int triangle, int k, double *out)
{
    const int32_t other = mesh->beside[3 * triangle + k], to = mesh->face[3 * triangle + (k + 1) % 3];
    /* the neighbouring triangle has the nodes of the shared edge in the opposite order */
    const int at = place_of(mesh, other, to);
    const double *a = rest_of(mesh, triangle, k), *b = rest_of(mesh, triangle, k + 1);
    const double *p = rest_of(mesh, other, at + 1), *q = rest_of(mesh, other, at), *tip = rest_of(mesh, other, at + 2);
    const double x = b[0] - a[0], y = b[1] - a[1], u = q[0] - p[0], v = q[1] - p[1], square = u * u + v * v;
    const double c = (x * u + y * v) / square, s = (y * u - x * v) / square; /* c, s: rotation and scale */
    out[0] = a[0] + c * (tip[0] - p[0]) - s * (tip[1] - p[1]);
    out[1] = a[1] + s * (tip[0] - p[0]) + c * (tip[1] - p[1]);
}

bool cst_sheet_mesh_make(const cst_sheet_def *def, cst_arena *arena, cst_sheet_mesh *out, const cst_complaint *to)
{
    if (!cst_sheet_check_def(def, to))
        return false;
    *out = (cst_sheet_mesh){
        .nodes = def->nodes, .corners = def->corners > 0 ? def->corners : def->nodes, .triangles = def->triangles};
    if (!take(def, arena, out))
        return cst_complain(to, "sheet: out of memory");
    measure(out);
    if (!list_hinges(def, arena, out))
        return cst_complain(to, "sheet: out of memory");
    return cst_sheet_check_mesh(out, def->position, arena, to);
}
