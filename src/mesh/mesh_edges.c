#include "mesh/mesh_edges.h"

#include <limits.h>

#include "base/merge_sort.h"
#include "base/order.h"

static int by_vertices(const void *one, const void *two)
{
    const cst_mesh_edge *a = one, *b = two;
    return cst_order_keys((int64_t[]){a->from, a->to}, (int64_t[]){b->from, b->to}, 2);
}

bool cst_mesh_corners_exist(const int32_t *triangle, int triangles, int vertices)
{
    for (int i = 0; i < 3 * triangles; i++)
        if (triangle[i] < 0 || triangle[i] >= vertices)
            return false;
    return true;
}

int cst_mesh_edges(const int32_t *triangle, int triangles, cst_arena *arena, cst_mesh_edge **out)
{
    if (triangles > INT_MAX / 3)
        return -1;
    const size_t halves = 3 * (size_t)triangles;
    cst_mesh_edge *edge = CST_TAKE_RAW(arena, cst_mesh_edge, halves);
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    cst_mesh_edge *scratch = CST_TAKE_RAW(arena, cst_mesh_edge, halves);
    if (arena->failed)
        return -1;
    for (size_t i = 0; i < halves; i++) {
        const int32_t a = triangle[i], b = triangle[i % 3 == 2 ? i - 2 : i + 1], owner = (int32_t)(i / 3);
        edge[i] = a < b ? (cst_mesh_edge){a, b, owner, -1, 1} : (cst_mesh_edge){b, a, -1, owner, 1};
    }
    cst_merge_sort(edge, scratch, halves, sizeof *edge, by_vertices);
    cst_arena_release(arena, mark);
    int edges = 0;
    for (size_t i = 0; i < halves; i++) {
        if (edges == 0 || by_vertices(edge + edges - 1, edge + i) != 0) {
            edge[edges++] = edge[i];
            continue;
        }
        cst_mesh_edge *same = edge + edges - 1;
        same->uses++;
        if (same->left < 0)
            same->left = edge[i].left;
        if (same->right < 0)
            same->right = edge[i].right;
    }
    *out = edge;
    return edges;
}

int cst_mesh_open_edge(const cst_mesh_edge *edge, int edges)
{
    for (int i = 0; i < edges; i++)
        if (edge[i].uses != 2 || edge[i].left < 0 || edge[i].right < 0)
            return i;
    return -1;
}
