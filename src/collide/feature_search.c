/* Selects the pairs of features (vertices, edges, faces) of two bodies that are tested for contact. If two bodies have many pairs
 * of features, only pairs of features with overlapping bounding boxes are tested (broad_phase.h). */
#include <math.h>

#include "collide/broad_phase.h"
#include "collide/feature_pair.h"

/* number of pairs of features up to which testing all pairs is cheaper than building a tree of bounding boxes */
enum { FEW = 4096 };

typedef cst_feature_pair pair;

static cst_box box_of_vertex(const cst_patch_vertex *vertex, double reach)
{
    cst_box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = fmin(vertex->x[0][k], vertex->x[1][k]) - reach;
        box.high[k] = fmax(vertex->x[0][k], vertex->x[1][k]) + reach;
    }
    return box;
}

/* ------------------------------------------------------------------------------------------------------------- one by one */

static bool ask_vertex(const pair *p, int32_t probe, const cst_box *around)
{
    if (!cst_pair_vertex_with_faces(p, probe, around, NULL, p->second->faces))
        return false;
    for (int i = 0; p->rounding > 0.0 && i < p->second->edges; ++i)
        if (!cst_pair_vertex_with_edge(p, probe, around, p->second->edge + i))
            return false;
    for (int i = 0; p->rounding > 0.0 && !p->swapped && i < p->second->probes; ++i)
        if (!cst_pair_vertex_with_vertex(p, probe, p->second->probe[i]))
            return false;
    return true;
}

static bool ask_vertices(const pair *p, double reach)
{
    for (int i = 0; i < p->first->probes; ++i) {
        const cst_box around = box_of_vertex(p->first->vertex + p->first->probe[i], reach);
        if (cst_boxes_meet(&around, &p->second->box, 0.0) && !ask_vertex(p, p->first->probe[i], &around))
            return false;
    }
    return true;
}

static bool ask_edges(const pair *p, double reach)
{
    for (int i = 0; i < p->first->edges; ++i)
        if (cst_boxes_meet(&p->first->edge[i].box, &p->second->box, reach))
            for (int j = 0; j < p->second->edges; ++j)
                if (!cst_pair_edge_with_edge(p, p->first->edge + i, p->second->edge + j, reach))
                    return false;
    return true;
}

/* --------------------------------------------------------------------------------------------------------- by their boxes */

/* Bounding boxes of the features that are tested for contact: of the first body (`first`), and of the second body (`second`). */
typedef struct listing {
    const pair *p;
    bool self;
    int firsts;  /* number of features */
    int32_t *of; /* array (firsts): vertices or edges */
    cst_box *first;
    /* only for tests of vertices: number of faces and number of edges in the array `second`, which then contains the boxes of
     * faces, of edges and of vertices, in this order */
    int faces, edges;
    int seconds;
    cst_box *second;
} listing;

/* Returns true if one of the `count` vertices `other` of a mesh that bends is near the vertex v, measured along edges
 * (cst_feature_mesh.near). */
static bool is_near(const cst_feature_mesh *mesh, int32_t v, const int32_t *other, int count)
{
    for (int32_t i = mesh->near_start[v]; i < mesh->near_start[v + 1]; ++i)
        for (int k = 0; k < count; ++k)
            if (mesh->near[i] == other[k])
                return true;
    return false;
}

/* Decides if a vertex and a feature of the second body are tested for contact. In a search for contacts of a mesh with itself,
 * features near the vertex along the mesh are not tested. For self contact, cst_feature_patch contains all vertices of the mesh,
 * with the same indices as in the mesh. */
static bool vertex_rule(const void *user, int32_t a, int32_t b)
{
    const listing *list = user;
    if (!list->self)
        return true;
    const cst_feature_patch *patch = list->p->second;
    const cst_feature_mesh *mesh = patch->body->mesh;
    const int32_t v = list->of[a];
    if (b < list->faces)
        return !is_near(mesh, v, patch->face[b].corner, 3);
    if (b < list->faces + list->edges)
        return !is_near(mesh, v, patch->edge[b - list->faces].end, 2);
    const int32_t *other = patch->probe + (b - list->faces - list->edges);
    return *other > v && !is_near(mesh, v, other, 1);
}

static bool self_edge_rule(const void *user, int32_t a, int32_t b)
{
    const cst_feature_patch *patch = user;
    const int32_t *p = patch->edge[a].end, *q = patch->edge[b].end;
    const cst_feature_mesh *mesh = patch->body->mesh;
    return !is_near(mesh, p[0], q, 2) && !is_near(mesh, p[1], q, 2);
}

static bool list_vertices(listing *list, double reach, cst_arena *arena)
{
    const cst_feature_patch *first = list->p->first, *second = list->p->second;
    const bool rounded = list->p->rounding > 0.0;
    list->faces = second->faces;
    list->edges = rounded ? second->edges : 0;
    const int probes = rounded && !list->p->swapped ? second->probes : 0;
    list->of = CST_TAKE_RAW(arena, int32_t, first->probes);
    list->first = CST_TAKE_RAW(arena, cst_box, first->probes);
    list->second = CST_TAKE_RAW(arena, cst_box, list->faces + list->edges + probes);
    if (arena->failed)
        return false;
    for (int i = 0; i < first->probes; ++i) {
        const cst_box around = box_of_vertex(first->vertex + first->probe[i], reach);
        if (!cst_boxes_meet(&around, &second->box, 0.0))
            continue;
        list->first[list->firsts] = around;
        list->of[list->firsts++] = first->probe[i];
    }
    for (int i = 0; i < list->faces; ++i)
        list->second[list->seconds++] = second->face[i].box;
    for (int i = 0; i < list->edges; ++i)
        list->second[list->seconds++] = second->edge[i].box;
    for (int i = 0; i < probes; ++i)
        list->second[list->seconds++] = box_of_vertex(second->vertex + second->probe[i], 0.0);
    return true;
}

static bool list_edges(listing *list, double reach, cst_arena *arena)
{
    const cst_feature_patch *first = list->p->first, *second = list->p->second;
    list->of = CST_TAKE_RAW(arena, int32_t, first->edges);
    list->first = CST_TAKE_RAW(arena, cst_box, first->edges);
    list->second = CST_TAKE_RAW(arena, cst_box, second->edges);
    if (arena->failed)
        return false;
    for (int i = 0; i < first->edges; ++i) {
        if (!cst_boxes_meet(&first->edge[i].box, &second->box, reach))
            continue;
        list->first[list->firsts] = first->edge[i].box;
        cst_box_widen(list->first + list->firsts, reach);
        list->of[list->firsts++] = i;
    }
    for (int i = 0; i < second->edges; ++i)
        list->second[list->seconds++] = second->edge[i].box;
    return true;
}

/* Tests one vertex against those features of the second body whose bounding boxes overlap its own. The array `candidate` contains
 * faces, then edges, then vertices. */
static bool ask_candidates(const listing *list, int32_t probe, const cst_box *around, const int32_t *candidate, int candidates)
{
    const pair *p = list->p;
    int faces = 0;
    while (faces < candidates && candidate[faces] < list->faces)
        ++faces;
    if (!cst_pair_vertex_with_faces(p, probe, around, candidate, faces))
        return false;
    for (int i = faces; i < candidates; ++i) {
        const int32_t at = candidate[i] - list->faces;
        if (!(at < list->edges ? cst_pair_vertex_with_edge(p, probe, around, p->second->edge + at)
                               : cst_pair_vertex_with_vertex(p, probe, p->second->probe[at - list->edges])))
            return false;
    }
    return true;
}

static bool search_vertices(const pair *p, bool self, double reach, int threads, cst_arena *arena)
{
    listing list = {.p = p, .self = self};
    cst_pair_list rows;
    if (!list_vertices(&list, reach, arena))
        return false;
    if (list.firsts == 0)
        return true;
    if (!cst_overlapping_lists(list.first, list.firsts, list.second, list.seconds, vertex_rule, &list, threads, arena, &rows))
        return false;
    for (int i = 0; i < list.firsts; ++i)
        if (!ask_candidates(&list, list.of[i], list.first + i, rows.partner + rows.row_start[i],
                            (int)(rows.row_start[i + 1] - rows.row_start[i])))
            return false;
    return true;
}

static bool search_edges(const pair *p, double reach, int threads, cst_arena *arena)
{
    listing list = {.p = p};
    cst_pair_list rows;
    if (!list_edges(&list, reach, arena))
        return false;
    if (list.firsts == 0)
        return true;
    if (!cst_overlapping_lists(list.first, list.firsts, list.second, list.seconds, NULL, NULL, threads, arena, &rows))
        return false;
    for (int i = 0; i < list.firsts; ++i)
        for (int64_t k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k)
            if (!cst_pair_edge_with_edge(p, p->first->edge + list.of[i], p->second->edge + rows.partner[k], reach))
                return false;
    return true;
}

/* Tests the edges of one mesh against each other. Each bounding box is widened by half the search distance, so that the boxes of
 * two edges overlap if the edges are nearer than the search distance. */
static bool search_own_edges(const pair *p, double reach, int threads, cst_arena *arena)
{
    const cst_feature_patch *patch = p->first;
    cst_pair_list rows;
    cst_box *box = CST_TAKE_RAW(arena, cst_box, patch->edges);
    if (arena->failed)
        return false;
    for (int i = 0; i < patch->edges; ++i) {
        box[i] = patch->edge[i].box;
        cst_box_widen(box + i, 0.5 * reach);
    }
    if (!cst_overlapping_boxes(box, patch->edges, self_edge_rule, patch, threads, arena, &rows))
        return false;
    for (int i = 0; i < patch->edges; ++i)
        for (int64_t k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k)
            if (!cst_pair_edge_with_edge(p, patch->edge + i, patch->edge + rows.partner[k], reach))
                return false;
    return true;
}

/* -------------------------------------------------------------------------------------------------------------- together */

static bool are_few(int one, int two)
{
    return (int64_t)one * two <= FEW;
}

bool cst_feature_touches(const cst_feature_patch *a, const cst_feature_patch *b, const cst_feature_rules *rules, int threads,
                         cst_arena *scratch, cst_touch_heap *heap)
{
    const double rounding = a->body->rounding + b->body->rounding;
    const double reach = rounding + fmax(rules->margin, rules->depth);
    const pair one = {.first = a, .second = b, .rules = rules, .rounding = rounding, .heap = heap};
    const pair two = {.first = b, .second = a, .rules = rules, .rounding = rounding, .heap = heap, .swapped = true};
    return (are_few(a->probes, b->faces + b->edges + b->probes) ? ask_vertices(&one, reach)
                                                                : search_vertices(&one, false, reach, threads, scratch)) &&
           (are_few(b->probes, a->faces + a->edges) ? ask_vertices(&two, reach)
                                                    : search_vertices(&two, false, reach, threads, scratch)) &&
           (are_few(a->edges, b->edges) ? ask_edges(&one, reach) : search_edges(&one, reach, threads, scratch));
}

bool cst_feature_self_touches(const cst_feature_patch *patch, const cst_feature_rules *rules, int threads, cst_arena *scratch,
                              cst_touch_heap *heap)
{
    const double rounding = 2.0 * patch->body->rounding, reach = rounding + rules->margin;
    const pair self = {.first = patch, .second = patch, .rules = rules, .rounding = rounding, .heap = heap};
    return search_vertices(&self, true, reach, threads, scratch) && search_own_edges(&self, reach, threads, scratch);
}
