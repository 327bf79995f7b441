#include "collide/feature_crossing.h"

#include <math.h>
#include <string.h>

#include "base/merge_sort.h"
#include "base/order.h"
#include "collide/broad_phase.h"
#include "math/vector3.h"

/* A triangle at one pose of its body. */
typedef struct placed_triangle {
    int32_t body;      /* index in scene->body */
    int32_t corner[3]; /* indices of the triangle's corners, with the vertices of all bodies numbered in one sequence */
    double x[3][3];
} placed_triangle;

typedef struct crossing_pair {
    int32_t triangle[2]; /* indices in the array triangle_list.triangle */
    double place[3];     /* m */
} crossing_pair;

typedef struct triangle_list {
    const cst_feature_scene *scene;
    placed_triangle *triangle;
    cst_box *box;
    int count;
    crossing_pair *pair; /* pairs of crossing triangles found so far: `pairs` entries, with memory for `room` entries */
    int pairs, room;
} triangle_list;

/* Adds the triangles of a body. `first`: index of the body's first vertex in the sequence of the vertices of all bodies. */
static void add_triangles(triangle_list *list, int32_t index, int32_t first, int pose)
{
    const cst_feature_body *body = list->scene->body + index;
    const double *vertex = body->vertex[pose] ? body->vertex[pose] : body->mesh->vertex;
    for (int32_t i = 0; i < body->mesh->faces; ++i) {
        placed_triangle *out = list->triangle + list->count;
        cst_box *box = list->box + list->count++;
        out->body = index;
        for (int k = 0; k < 3; ++k) {
            const int32_t corner = body->mesh->face[3 * (size_t)i + (size_t)k];
            out->corner[k] = first + corner;
            cst_apply3(body->R[pose], vertex + 3 * (size_t)corner, out->x[k]);
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

/* Returns true if the segment from p to q intersects the interior of a triangle with the corners x. Writes the point where the
 * segment pierces the triangle to `place`. */
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

/* Returns false if memory ran out. */
static bool test_pair(triangle_list *list, int32_t one, int32_t two, cst_arena *arena)
{
    crossing_pair found = {.triangle = {one, two}};
    if (!cross(list->triangle + one, list->triangle + two, found.place))
        return true;
    crossing_pair *pair = cst_arena_grow(arena, list->pair, list->pairs, &list->room, sizeof *pair);
    if (!pair)
        return false;
    list->pair = pair;
    list->pair[list->pairs++] = found;
    return true;
}

/* Lists all pairs of triangles that cross at the given pose. Returns false if memory ran out. */
static bool list_crossings(triangle_list *list, int pose, cst_arena *arena)
{
    const cst_feature_scene *scene = list->scene;
    size_t triangles = 0;
    bool soft = false;
    for (int k = 0; k < scene->bodies; ++k) {
        triangles += (size_t)scene->body[k].mesh->faces;
        soft = soft || scene->body[k].mesh->soft;
    }
    if (!soft)
        return true;
    list->triangle = CST_TAKE_RAW(arena, placed_triangle, triangles);
    list->box = CST_TAKE_RAW(arena, cst_box, triangles);
    if (arena->failed)
        return false;
    int32_t first = 0;
    for (int k = 0; k < scene->bodies; ++k) {
        add_triangles(list, k, first, pose);
        first += scene->body[k].mesh->vertices;
    }
    cst_pair_list rows;
    bool good = cst_overlapping_boxes(list->box, list->count, may_cross, list, scene->threads, arena, &rows);
    for (int a = 0; good && a < list->count; ++a)
        for (int64_t i = rows.row_start[a]; good && i < rows.row_start[a + 1]; ++i)
            good = test_pair(list, a, rows.partner[i], arena);
    return good;
}

static cst_feature_crossing describe(const triangle_list *list, const crossing_pair *pair)
{
    cst_feature_crossing out;
    for (int k = 0; k < 2; ++k)
        out.owner[k] = list->scene->body[list->triangle[pair->triangle[k]].body].owner;
    memcpy(out.place, pair->place, sizeof out.place);
    return out;
}

int cst_feature_crossings(const cst_feature_scene *scene, int pose, cst_arena *arena, cst_feature_crossing *first)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    triangle_list list = {.scene = scene};
    const bool good = list_crossings(&list, pose, arena);
    if (good && list.pairs > 0)
        *first = describe(&list, list.pair);
    cst_arena_release(arena, mark);
    return good ? list.pairs : -1;
}

/* ------------------------------------------------------------------------------------------------------------------- change */

/* A vertex pair: one vertex of each of two crossing triangles, the lower index first. Two pairs of crossing triangles count as
 * near each other if they have a vertex pair in common. */
typedef struct vertex_pair {
    int64_t vertex[2];
} vertex_pair;

static int by_vertices(const void *left, const void *right)
{
    return cst_order_keys(((const vertex_pair *)left)->vertex, ((const vertex_pair *)right)->vertex, 2);
}

static void vertices_of(const triangle_list *list, const crossing_pair *pair, vertex_pair out[9])
{
    for (int i = 0; i < 9; ++i) {
        const int32_t a = list->triangle[pair->triangle[0]].corner[i / 3], b = list->triangle[pair->triangle[1]].corner[i % 3];
        out[i] = a < b ? (vertex_pair){{a, b}} : (vertex_pair){{b, a}};
    }
}

/* Returns the sorted vertex pairs (struct vertex_pair) of all pairs of crossing triangles, or NULL if memory ran out. */
static vertex_pair *sort_vertices(const triangle_list *list, cst_arena *arena)
{
    const size_t count = 9 * (size_t)list->pairs;
    vertex_pair *sorted = CST_TAKE_RAW(arena, vertex_pair, count), *scratch = CST_TAKE_RAW(arena, vertex_pair, count);
    if (arena->failed)
        return NULL;
    for (int i = 0; i < list->pairs; ++i)
        vertices_of(list, list->pair + i, sorted + 9 * (size_t)i);
    cst_merge_sort(sorted, scratch, count, sizeof *sorted, by_vertices);
    return sorted;
}

static bool is_near(const triangle_list *list, const crossing_pair *pair, const vertex_pair *sorted, size_t count)
{
    vertex_pair own[9];
    vertices_of(list, pair, own);
    for (int i = 0; i < 9; ++i) {
        size_t low = 0, high = count;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (by_vertices(sorted + middle, own + i) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < count && by_vertices(sorted + low, own + i) == 0)
            return true;
    }
    return false;
}

/* Counts the new crossing pairs (cst_crossing_change) among the crossing pairs of triangles at the end of the motion. Returns
 * false if memory ran out. */
static bool find_new(const triangle_list *end, triangle_list *start, cst_arena *arena, cst_crossing_change *out)
{
    const vertex_pair *sorted = list_crossings(start, 0, arena) ? sort_vertices(start, arena) : NULL;
    for (int i = 0; sorted && i < end->pairs; ++i)
        if (!is_near(end, end->pair + i, sorted, 9 * (size_t)start->pairs) && out->fresh++ == 0)
            out->first = describe(end, end->pair + i);
    return sorted != NULL;
}

bool cst_feature_crossings_change(const cst_feature_scene *scene, cst_arena *arena, cst_crossing_change *out)
{
    const cst_arena_mark mark = cst_arena_mark_now(arena);
    triangle_list end = {.scene = scene}, start = {.scene = scene};
    *out = (cst_crossing_change){0};
    bool good = list_crossings(&end, 1, arena);
    if (good && end.pairs > 0) {
        out->pairs = end.pairs;
        out->first = describe(&end, end.pair);
        good = find_new(&end, &start, arena, out);
    }
    cst_arena_release(arena, mark);
    return good;
}
