/* Checks the mesh of a sheet. Most error messages name the faulty node, edge or triangle, and say how to correct it. */
#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "cloth/sheet_mesh.h"
#include "math/vector3.h"
#include "mesh/mesh_edges.h"

/* SLIVER: a triangle counts as having no area if its area divided by the square of its longest edge at rest is at most SLIVER */
static const double SLIVER = 1e-9;

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ definition */

static bool check_triangle(const cst_sheet_def *def, int corners, int which, const cst_complaint *to)
{
    const int32_t *corner = def->triangle + 3 * (size_t)which;
    int32_t node[3];
    for (int k = 0; k < 3; ++k) {
        if (corner[k] < 0 || corner[k] >= corners)
            return cst_complain(to, "sheet: triangle %d has corner %d, and there are %d (from 0)", which, (int)corner[k],
                                corners);
        node[k] = def->node_of ? def->node_of[corner[k]] : corner[k];
    }
    if (node[0] == node[1] || node[1] == node[2] || node[2] == node[0])
        return cst_complain(to,
                            "sheet: triangle %d has node %d twice: leave it out, or split the seam that closes on itself there",
                            which, (int)(node[0] == node[1] ? node[0] : node[2]));
    return true;
}

bool cst_sheet_check_def(const cst_sheet_def *def, const cst_complaint *to)
{
    const int corners = def->corners > 0 ? def->corners : def->nodes;
    if (def->nodes < 3 || def->triangles < 1 || !def->position || !def->rest || !def->triangle)
        return cst_complain(to, "sheet: it needs three nodes and a triangle at least, with a shape in space and one at rest");
    if (!def->node_of && corners != def->nodes)
        return cst_complain(to, "sheet: %d corners and %d nodes: node_of must say which is which", corners, def->nodes);
    for (int i = 0; def->node_of && i < corners; ++i)
        if (def->node_of[i] < 0 || def->node_of[i] >= def->nodes)
            return cst_complain(to, "sheet: corner %d is of node %d, and there are %d (from 0)", i, (int)def->node_of[i],
                                def->nodes);
    if (!all_finite(def->position, 3 * (size_t)def->nodes) || !all_finite(def->rest, 2 * (size_t)corners))
        return cst_complain(to, "sheet: a coordinate is not finite");
    for (int i = 0; i < def->triangles; ++i)
        if (!check_triangle(def, corners, i, to))
            return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------ mesh */

static double longest_rest_edge(const cst_sheet_mesh *mesh, int which)
{
    double most = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double *a = mesh->rest + 2 * mesh->corner[3 * which + k],
                     *b = mesh->rest + 2 * mesh->corner[3 * which + (k + 1) % 3];
        most = fmax(most, hypot(b[0] - a[0], b[1] - a[1]));
    }
    return most;
}

static bool check_areas(const cst_sheet_mesh *mesh, const double *position, const cst_complaint *to)
{
    for (int i = 0; i < mesh->triangles; ++i) {
        const double edge = longest_rest_edge(mesh, i);
        const int32_t *face = mesh->face + 3 * (size_t)i;
        if (fabs(mesh->area[i]) <= SLIVER * edge * edge)
            return cst_complain(
                to, "sheet: triangle %d (nodes %d, %d, %d) has no area at rest: move a texture coordinate, or leave it out", i,
                (int)face[0], (int)face[1], (int)face[2]);
        if (mesh->area[i] < 0.0)
            return cst_complain(
                to,
                "sheet: triangle %d (nodes %d, %d, %d) is turned over at rest, its corners go clockwise in u, v: swap two "
                "of its corners, or mirror u if it is so with all",
                i, (int)face[0], (int)face[1], (int)face[2]);
        double e[3], f[3], n[3];
        cst_subtract3(position + 3 * (size_t)face[1], position + 3 * (size_t)face[0], e);
        cst_subtract3(position + 3 * (size_t)face[2], position + 3 * (size_t)face[0], f);
        cst_cross3(e, f, n);
        if (sqrt(cst_dot3(n, n)) <= SLIVER * edge * edge)
            return cst_complain(to, "sheet: triangle %d (nodes %d, %d, %d) has no area in its first shape: move a vertex", i,
                                (int)face[0], (int)face[1], (int)face[2]);
    }
    return true;
}

static bool check_edges(const cst_sheet_mesh *mesh, cst_arena *scratch, const cst_complaint *to)
{
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    cst_mesh_edge *edge;
    const int edges = cst_mesh_edges(mesh->face, mesh->triangles, scratch, &edge);
    bool sound = edges >= 0 || cst_complain(to, "sheet: out of memory");
    for (int i = 0; sound && i < edges; ++i) {
        if (edge[i].uses > 2)
            sound = cst_complain(
                to,
                "sheet: %d triangles meet in the edge between nodes %d and %d: a sheet has two at most, give the others "
                "nodes of their own",
                (int)edge[i].uses, (int)edge[i].from, (int)edge[i].to);
        else if (edge[i].uses == 2 && (edge[i].left < 0 || edge[i].right < 0))
            sound = cst_complain(
                to,
                "sheet: the two triangles at the edge between nodes %d and %d (the first is triangle %d) go the same way "
                "along it: turn one of them over",
                (int)edge[i].from, (int)edge[i].to, (int)(edge[i].left >= 0 ? edge[i].left : edge[i].right));
    }
    cst_arena_release(scratch, mark);
    return sound;
}

typedef struct placed_node {
    double x[5]; /* position, u, v */
    int32_t node;
} placed_node;

static int by_place(const void *a, const void *b)
{
    const placed_node *one = a, *two = b;
    for (int k = 0; k < 5; ++k)
        if (one->x[k] != two->x[k])
            return one->x[k] < two->x[k] ? -1 : 1;
    return 0;
}

/* Reports separate nodes with the same position both in 3D and in the rest shape, because the sheet would have an invisible
 * crack between them. */
static bool check_twins(const cst_sheet_mesh *mesh, const double *position, cst_arena *scratch, const cst_complaint *to)
{
    const cst_arena_mark mark = cst_arena_mark_now(scratch);
    const size_t n = (size_t)mesh->corners;
    placed_node *list = CST_TAKE_RAW(scratch, placed_node, n), *room = CST_TAKE_RAW(scratch, placed_node, n);
    bool sound = !scratch->failed || cst_complain(to, "sheet: out of memory");
    if (sound) {
        for (size_t i = 0; i < n; ++i) {
            memcpy(list[i].x, position + 3 * (size_t)mesh->node_of[i], 3 * sizeof(double));
            memcpy(list[i].x + 3, mesh->rest + 2 * i, 2 * sizeof(double));
            list[i].node = mesh->node_of[i];
        }
        cst_merge_sort(list, room, n, sizeof *list, by_place);
    }
    for (size_t i = 1; sound && i < n; ++i)
        if (by_place(list + i - 1, list + i) == 0 && list[i - 1].node != list[i].node)
            sound = cst_complain(
                to,
                "sheet: nodes %d and %d are at one place, in space and at rest, and the sheet is cut between them: weld them "
                "into one vertex",
                (int)list[i - 1].node, (int)list[i].node);
    cst_arena_release(scratch, mark);
    return sound;
}

bool cst_sheet_check_mesh(const cst_sheet_mesh *mesh, const double *position, cst_arena *scratch, const cst_complaint *to)
{
    for (int i = 0; i < mesh->nodes; ++i)
        if (mesh->face_of[i] < 0)
            return cst_complain(to, "sheet: node %d is in no triangle: leave it out, nothing would hold it", i);
    return check_areas(mesh, position, to) && check_edges(mesh, scratch, to) && check_twins(mesh, position, scratch, to);
}
