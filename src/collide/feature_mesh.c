#include "collide/feature_mesh.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "mesh/mesh_edges.h"

/* LEVEL: two faces count as coplanar if the sine of the angle between them is at most LEVEL; mesh files may store coordinates
 * with few digits. A thickness below LEVEL times the size of the mesh is ignored. */
static const double LEVEL = 1e-6;

static const double *vertex_of(const cst_feature_mesh *mesh, int32_t index)
{
    return mesh->vertex + 3 * (size_t)index;
}

static const int32_t *corners_of(const cst_feature_mesh *mesh, int32_t face)
{
    return mesh->face + 3 * (size_t)face;
}

static void face_normal(const cst_feature_mesh *mesh, int32_t face, double *n)
{
    const int32_t *corner = corners_of(mesh, face);
    double u[3], v[3];
    cst_subtract3(vertex_of(mesh, corner[1]), vertex_of(mesh, corner[0]), u);
    cst_subtract3(vertex_of(mesh, corner[2]), vertex_of(mesh, corner[0]), v);
    cst_cross3(u, v, n);
    cst_normalise3(n);
}

/* ---------------------------------------------------------------------------------------------------------------- edges */

static void find_inward(const cst_feature_mesh *mesh, cst_feature_edge *edge, int side)
{
    const int32_t *corner = corners_of(mesh, edge->face[side]);
    const int32_t tip = corner[0] + corner[1] + corner[2] - edge->from - edge->to;
    double along[3], *w = edge->inward[side];
    cst_subtract3(vertex_of(mesh, edge->to), vertex_of(mesh, edge->from), along);
    cst_normalise3(along);
    cst_subtract3(vertex_of(mesh, tip), vertex_of(mesh, edge->from), w);
    cst_add3(-cst_dot3(along, w), along, w);
    cst_normalise3(w);
}

/* Returns the sine of the angle by which the second face of an edge bends away from the plane of the first; positive: convex
 * edge. */
static double bend_of(const cst_feature_mesh *mesh, const cst_feature_edge *edge)
{
    double n[3];
    face_normal(mesh, edge->face[0], n);
    return -cst_dot3(n, edge->inward[1]);
}

static void shape_edges(cst_feature_mesh *mesh)
{
    for (int i = 0; i < mesh->vertices; ++i)
        mesh->vertex_touches[i] = mesh->faces == 0 || mesh->soft;
    for (int i = 0; i < mesh->edges; ++i) {
        cst_feature_edge *edge = mesh->edge + i;
        for (int side = 0; side < 2; ++side)
            if (edge->face[side] >= 0)
                find_inward(mesh, edge, side);
        const bool both = edge->face[0] >= 0 && edge->face[1] >= 0;
        edge->bend = both ? bend_of(mesh, edge) : 1.0;
        edge->touches = mesh->soft || (mesh->closed ? edge->bend > LEVEL : fabs(edge->bend) > LEVEL);
        if (edge->touches)
            mesh->vertex_touches[edge->from] = mesh->vertex_touches[edge->to] = true;
    }
}

static bool list_edges(cst_feature_mesh *mesh)
{
    if (mesh->faces == 0) {
        mesh->edges = mesh->vertices == 2 ? 1 : 0;
        mesh->edge = CST_TAKE(&mesh->arena, cst_feature_edge, 1);
        if (mesh->edge)
            *mesh->edge = (cst_feature_edge){.from = 0, .to = 1, .face = {-1, -1}};
        return mesh->edge;
    }
    cst_mesh_edge *found;
    mesh->edges = cst_mesh_edges(mesh->face, mesh->faces, &mesh->arena, &found);
    if (mesh->edges < 0)
        return false;
    mesh->edge = CST_TAKE(&mesh->arena, cst_feature_edge, mesh->edges);
    for (int i = 0; mesh->edge && i < mesh->edges; ++i) {
        const bool left = found[i].left >= 0;
        mesh->edge[i] = (cst_feature_edge){.from = found[i].from,
                                           .to = found[i].to,
                                           .face = {left ? found[i].left : found[i].right, left ? found[i].right : -1}};
    }
    return mesh->edge;
}

/* ---------------------------------------------------------------------------------------------------------------- lists */

/* Converts lengths of rows to start indices: start[i + 1] is the length of row i on entry, and the index at which row i + 1
 * starts on return. */
static void sum_up(int32_t *start, int rows)
{
    for (int i = 0; i < rows; ++i)
        start[i + 1] += start[i];
}

/* Returns the edge between two vertices, found by bisection: edges are sorted by their first, then by their second vertex. */
static int32_t edge_between(const cst_feature_mesh *mesh, int32_t one, int32_t two)
{
    const int32_t from = one < two ? one : two, to = one < two ? two : one;
    int32_t low = 0, high = mesh->edges - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const cst_feature_edge *edge = mesh->edge + middle;
        if (edge->from < from || (edge->from == from && edge->to < to))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_face_edges(cst_feature_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->faces; ++i)
        for (int k = 0; k < 3; ++k)
            mesh->face_edge[3 * i + k] = edge_between(mesh, corners_of(mesh, i)[k], corners_of(mesh, i)[(k + 1) % 3]);
}

static void list_stars(cst_feature_mesh *mesh, int32_t *cursor)
{
    for (int i = 0; i < mesh->edges; ++i) {
        ++mesh->star[mesh->edge[i].from + 1];
        ++mesh->star[mesh->edge[i].to + 1];
    }
    sum_up(mesh->star, mesh->vertices);
    memcpy(cursor, mesh->star, sizeof *cursor * (size_t)mesh->vertices);
    for (int32_t i = 0; i < mesh->edges; ++i) {
        mesh->around[cursor[mesh->edge[i].from]++] = i;
        mesh->around[cursor[mesh->edge[i].to]++] = i;
    }
}

/* Assigns every vertex and every edge to one of its faces, so that a search for faces finds each vertex and edge once. */
static void list_owned(cst_feature_mesh *mesh, int32_t *cursor)
{
    for (int i = 0; i < mesh->vertices; ++i)
        mesh->face_of[i] = -1;
    for (int32_t i = 3 * mesh->faces - 1; i >= 0; --i)
        mesh->face_of[mesh->face[i]] = i / 3;
    for (int i = 0; i < mesh->edges; ++i)
        mesh->face_of_edge[i] = mesh->edge[i].face[0];
    if (mesh->faces == 0)
        return;
    for (int i = 0; i < mesh->vertices; ++i)
        if (mesh->face_of[i] >= 0)
            ++mesh->feature_start[mesh->face_of[i] + 1];
    for (int i = 0; i < mesh->edges; ++i)
        ++mesh->feature_start[mesh->face_of_edge[i] + 1];
    sum_up(mesh->feature_start, mesh->faces);
    memcpy(cursor, mesh->feature_start, sizeof *cursor * (size_t)mesh->faces);
    for (int32_t i = 0; i < mesh->vertices; ++i)
        if (mesh->face_of[i] >= 0)
            mesh->owned[cursor[mesh->face_of[i]]++] = 2 * i;
    for (int32_t i = 0; i < mesh->edges; ++i)
        mesh->owned[cursor[mesh->face_of_edge[i]]++] = 2 * i + 1;
}

/* ------------------------------------------------------------------------------------------------------------ thickness */

/* Returns the distance (m) from x along the unit vector d at which the ray leaves the solid through a face, or HUGE_VAL if it
 * does not. */
static double ray_leaves(const cst_feature_mesh *mesh, int32_t face, const double *x, const double *d)
{
    const int32_t *corner = corners_of(mesh, face);
    double u[3], v[3], from[3], across[3], turned[3];
    cst_subtract3(vertex_of(mesh, corner[1]), vertex_of(mesh, corner[0]), u);
    cst_subtract3(vertex_of(mesh, corner[2]), vertex_of(mesh, corner[0]), v);
    cst_subtract3(x, vertex_of(mesh, corner[0]), from);
    cst_cross3(d, v, across);
    const double determinant = cst_dot3(u, across);
    if (!(determinant < 0.0)) /* enters the solid, or parallel */
        return HUGE_VAL;
    const double s = cst_dot3(from, across) / determinant;
    cst_cross3(from, u, turned);
    const double t = cst_dot3(d, turned) / determinant;
    return s < 0.0 || t < 0.0 || s + t > 1.0 ? HUGE_VAL : cst_dot3(v, turned) / determinant;
}

/* Returns the smallest distance (m) through a closed mesh, measured along the inward normals from the middles of at most SAMPLES
 * faces; HUGE_VAL for an open mesh. */
static double find_thickness(const cst_feature_mesh *mesh)
{
    enum { SAMPLES = 64 };
    double least = HUGE_VAL;
    const int every = mesh->faces / SAMPLES + 1;
    for (int32_t i = 0; mesh->closed && i < mesh->faces; i += every) {
        double middle[3] = {0.0, 0.0, 0.0}, inward[3];
        face_normal(mesh, i, inward);
        for (int k = 0; k < 3; ++k) {
            cst_add3(1.0 / 3.0, vertex_of(mesh, corners_of(mesh, i)[k]), middle);
            inward[k] = -inward[k];
        }
        for (int32_t j = 0; j < mesh->faces; ++j) {
            const double way = j == i ? HUGE_VAL : ray_leaves(mesh, j, middle, inward);
            if (way > LEVEL * mesh->size)
                least = fmin(least, way);
        }
    }
    return least;
}

/* ------------------------------------------------------------------------------------------------------------- creation */

static bool all_finite(const double *x, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += x[i] - x[i]; /* 0 unless x[i] is not finite */
    return sum == 0.0;
}

static cst_box box_around(const double *first, const double *second, const double *third)
{
    cst_box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = fmin(first[k], fmin(second[k], third[k]));
        box.high[k] = fmax(first[k], fmax(second[k], third[k]));
    }
    return box;
}

bool cst_feature_mesh_move(cst_feature_mesh *mesh, const double *vertex)
{
    if (!all_finite(vertex, 3 * mesh->vertices))
        return false;
    memmove(mesh->vertex, vertex, 3 * (size_t)mesh->vertices * sizeof *vertex);
    mesh->whole = box_around(vertex, vertex, vertex);
    for (int i = 1; i < mesh->vertices; ++i)
        for (int k = 0; k < 3; ++k) {
            mesh->whole.low[k] = fmin(mesh->whole.low[k], vertex[3 * i + k]);
            mesh->whole.high[k] = fmax(mesh->whole.high[k], vertex[3 * i + k]);
        }
    mesh->size = 0.0;
    for (int k = 0; k < 3; ++k)
        mesh->size = fmax(mesh->size, mesh->whole.high[k] - mesh->whole.low[k]);
    for (int32_t i = 0; i < mesh->faces; ++i) {
        const int32_t *corner = corners_of(mesh, i);
        mesh->box[i] = box_around(vertex_of(mesh, corner[0]), vertex_of(mesh, corner[1]), vertex_of(mesh, corner[2]));
    }
    shape_edges(mesh);
    cst_arena_release(&mesh->arena, mesh->built);
    return mesh->faces == 0 || cst_box_tree_build(mesh->box, mesh->faces, &mesh->arena, &mesh->tree);
}

/* Writes to `list` the vertex `from` and the vertices within the distance `reach` (m) along edges from it, and returns their
 * number. `way`: working memory for the distances (m) of the listed vertices from the vertex `from` along edges; all its entries
 * are negative before and after the call. */
static int walk_near(const cst_feature_mesh *mesh, int32_t from, double reach, double *way, int32_t *list)
{
    int count = 0;
    way[from] = 0.0;
    list[count++] = from;
    /* A shorter path to one vertex can shorten the paths through it, so the code visits all listed vertices again until no path
     * becomes shorter (Bellman-Ford). */
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int i = 0; i < count; ++i)
            for (int32_t k = mesh->star[list[i]]; k < mesh->star[list[i] + 1]; ++k) {
                const cst_feature_edge *edge = mesh->edge + mesh->around[k];
                const int32_t other = edge->from == list[i] ? edge->to : edge->from;
                double along[3];
                cst_subtract3(vertex_of(mesh, other), vertex_of(mesh, list[i]), along);
                const double here = way[list[i]] + sqrt(cst_dot3(along, along));
                if (here > reach || (way[other] >= 0.0 && way[other] <= here))
                    continue;
                if (way[other] < 0.0)
                    list[count++] = other;
                way[other] = here;
                shorter = true;
            }
    }
    for (int i = 0; i < count; ++i)
        way[list[i]] = -1.0;
    return count;
}

static double longest_edge(const cst_feature_mesh *mesh)
{
    double longest = 0.0;
    for (int e = 0; e < mesh->edges; ++e) {
        double along[3];
        cst_subtract3(mesh->vertex + 3 * (size_t)mesh->edge[e].to, mesh->vertex + 3 * (size_t)mesh->edge[e].from, along);
        longest = fmax(longest, cst_dot3(along, along));
    }
    return sqrt(longest);
}

bool cst_feature_mesh_soften(cst_feature_mesh *mesh, double thickness, double reach)
{
    cst_arena scratch;
    cst_arena_begin(&scratch, &mesh->arena.allocator);
    cst_arena_release(&mesh->arena, mesh->built);
    double *way = CST_TAKE_RAW(&scratch, double, mesh->vertices);
    int32_t *list = CST_TAKE_RAW(&scratch, int32_t, mesh->vertices);
    mesh->near_start = CST_TAKE(&mesh->arena, int32_t, (size_t)mesh->vertices + 1);
    if (!scratch.failed && !mesh->arena.failed) {
        for (int32_t i = 0; i < mesh->vertices; ++i)
            way[i] = -1.0;
        for (int32_t i = 0; i < mesh->vertices; ++i)
            mesh->near_start[i + 1] = mesh->near_start[i] + walk_near(mesh, i, reach, way, list);
        mesh->near = CST_TAKE_RAW(&mesh->arena, int32_t, mesh->near_start[mesh->vertices]);
        for (int32_t i = 0; i < mesh->vertices && !mesh->arena.failed; ++i) {
            const int count = walk_near(mesh, i, reach, way, list);
            memcpy(mesh->near + mesh->near_start[i], list, (size_t)count * sizeof *list);
        }
    }
    const bool done = !scratch.failed && !mesh->arena.failed;
    cst_arena_end(&scratch);
    mesh->built = cst_arena_mark_now(&mesh->arena);
    mesh->soft = true;
    mesh->thickness = thickness;
    mesh->longest = longest_edge(mesh);
    return done && cst_feature_mesh_move(mesh, mesh->vertex);
}

static bool take_lists(cst_feature_mesh *mesh, const int32_t *triangle)
{
    cst_arena *arena = &mesh->arena;
    mesh->vertex = CST_TAKE(arena, double, 3 * (size_t)mesh->vertices);
    mesh->face = CST_TAKE(arena, int32_t, 3 * (size_t)mesh->faces);
    mesh->vertex_touches = CST_TAKE(arena, bool, mesh->vertices);
    mesh->star = CST_TAKE(arena, int32_t, (size_t)mesh->vertices + 1);
    mesh->face_of = CST_TAKE(arena, int32_t, mesh->vertices);
    mesh->box = CST_TAKE(arena, cst_box, mesh->faces);
    mesh->feature_start = CST_TAKE(arena, int32_t, (size_t)mesh->faces + 1);
    int32_t *cursor = CST_TAKE(arena, int32_t, mesh->vertices > mesh->faces ? mesh->vertices : mesh->faces);
    if (arena->failed)
        return false;
    if (mesh->faces > 0)
        memcpy(mesh->face, triangle, 3 * (size_t)mesh->faces * sizeof *triangle);
    if (!list_edges(mesh))
        return false;
    mesh->around = CST_TAKE(arena, int32_t, 2 * (size_t)mesh->edges);
    mesh->face_of_edge = CST_TAKE(arena, int32_t, mesh->edges);
    mesh->face_edge = CST_TAKE(arena, int32_t, 3 * (size_t)mesh->faces);
    mesh->owned = CST_TAKE(arena, int32_t, (size_t)mesh->vertices + (size_t)mesh->edges);
    if (arena->failed)
        return false;
    list_stars(mesh, cursor);
    list_owned(mesh, cursor);
    list_face_edges(mesh);
    return true;
}

cst_feature_mesh *cst_feature_mesh_create(const double *vertex, int vertices, const int32_t *triangle, int triangles, bool closed,
                                          const cst_allocator *allocator)
{
    if (vertices < 1 || (triangles == 0 && vertices > 2) || !cst_mesh_corners_exist(triangle, triangles, vertices))
        return NULL;
    cst_feature_mesh *mesh = CST_TAKE_WITH_ARENA(cst_feature_mesh, allocator);
    if (!mesh)
        return NULL;
    mesh->vertices = vertices;
    mesh->faces = triangles;
    mesh->closed = closed && triangles > 0;
    bool made = take_lists(mesh, triangle);
    mesh->built = cst_arena_mark_now(&mesh->arena);
    made = made && cst_feature_mesh_move(mesh, vertex);
    if (!made) {
        cst_feature_mesh_destroy(mesh);
        return NULL;
    }
    mesh->thickness = find_thickness(mesh);
    return mesh;
}

void cst_feature_mesh_destroy(cst_feature_mesh *mesh)
{
    if (mesh)
        cst_arena_end_from_within(&mesh->arena);
}

/* -------------------------------------------------------------------------------------------------------------- queries */

bool cst_feature_vertex_faces(const cst_feature_mesh *mesh, int32_t vertex, const double *n, double tilt)
{
    const double *x = vertex_of(mesh, vertex);
    for (int32_t i = mesh->star[vertex]; i < mesh->star[vertex + 1]; ++i) {
        const cst_feature_edge *edge = mesh->edge + mesh->around[i];
        double along[3];
        cst_subtract3(vertex_of(mesh, edge->from == vertex ? edge->to : edge->from), x, along);
        const double up = cst_dot3(along, n);
        if (up > 0.0 && up * up > tilt * tilt * cst_dot3(along, along))
            return false;
    }
    return true;
}
