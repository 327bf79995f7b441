/* Touches of sheets that are found by boxes, against asking every pair of features: the same, for two sheets, and for a folded sheet with itself but for what
 * belongs to one place of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "collide/feature_merge.h"
#include "collide/feature_pair.h"

enum { SIDE = 16, VERTICES = (SIDE + 1) * (SIDE + 1), FACES = 2 * SIDE * SIDE };

typedef struct sheet {
    cst_feature_mesh *mesh;
    double x[2][3 * VERTICES];
    cst_feature_body body;
    cst_feature_patch patch;
} sheet;

/* A wavy square at the height z that moves down by `way`; folded: the half beyond x = 0.5 lies over the other one. */
static sheet *make_sheet(double z, double way, bool folded, uint64_t seed, double reach, cst_arena *arena)
{
    static int32_t face[3 * FACES];
    cst_rng rng;
    cst_rng_seed(&rng, seed, 0);
    sheet *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (int i = 0; i < VERTICES; i++) {
        const double u = (double)(i % (SIDE + 1)) / SIDE, v = (double)(i / (SIDE + 1)) / SIDE;
        double *x = s->x[0] + 3 * i;
        x[0] = folded && u > 0.5 ? 1.0 - u : u;
        x[1] = v;
        x[2] = z + (folded && u > 0.5 ? 0.006 : 0.0) + 0.003 * sin(9.0 * u + 5.0 * v) + cst_rng_range(&rng, -0.001, 0.001);
        memcpy(s->x[1] + 3 * i, x, 3 * sizeof *x);
        s->x[1][3 * i + 2] -= way;
    }
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int32_t a = j * (SIDE + 1) + i, corner[6] = {a, a + 1, a + SIDE + 2, a, a + SIDE + 2, a + SIDE + 1};
            memcpy(face + 6 * (j * SIDE + i), corner, sizeof corner);
        }
    s->mesh = cst_feature_mesh_create(s->x[0], VERTICES, face, FACES, false, NULL);
    assert_non_null(s->mesh);
    assert_true(cst_feature_mesh_soften(s->mesh, 0.004, reach));
    s->body = (cst_feature_body){.mesh = s->mesh,
                                 .rounding = 0.002,
                                 .R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                 .vertex = {s->x[0], s->x[1]},
                                 .stretch = fabs(way)};
    assert_true(cst_feature_patch_whole(&s->body, arena, &s->patch));
    return s;
}

static void free_sheet(sheet *s)
{
    cst_feature_mesh_destroy(s->mesh);
    free(s);
}

static cst_box everything(void)
{
    return (cst_box){.low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, .high = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
}

/* Everyone is asked. */
static void ask_all(const cst_feature_pair *p)
{
    const cst_box box = everything();
    for (int i = 0; i < p->first->probes; i++) {
        const int32_t probe = p->first->probe[i];
        assert_true(cst_pair_vertex_with_faces(p, probe, &box, NULL, p->second->faces));
        for (int k = 0; k < p->second->edges; k++)
            assert_true(cst_pair_vertex_with_edge(p, probe, &box, p->second->edge + k));
        for (int k = 0; k < p->second->probes && !p->swapped; k++)
            assert_true(cst_pair_vertex_with_vertex(p, probe, p->second->probe[k]));
    }
    for (int i = 0; i < p->first->edges && !p->swapped; i++)
        for (int k = 0; k < p->second->edges; k++)
            assert_true(cst_pair_edge_with_edge(p, p->first->edge + i, p->second->edge + k, 1.0));
}

static int compare(const void *one, const void *two)
{
    return cst_feature_touch_compare(one, two);
}

static void assert_same(cst_touch_heap *found, cst_touch_heap *all)
{
    qsort(found->touch, (size_t)found->count, sizeof *found->touch, compare);
    qsort(all->touch, (size_t)all->count, sizeof *all->touch, compare);
    assert_int_equal(found->count, all->count);
    for (int i = 0; i < found->count; i++) {
        assert_int_equal(cst_feature_touch_compare(found->touch + i, all->touch + i), 0);
        assert_memory_equal(found->touch[i].normal, all->touch[i].normal, sizeof all->touch[i].normal);
        assert_true(found->touch[i].gap == all->touch[i].gap);
    }
}

static void two_sheets(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        sheet *a = make_sheet(0.006, fast ? 0.05 : 0.001, false, 1, 0.008, &arena);
        sheet *b = make_sheet(0.0, 0.0, false, 2, 0.008, &arena);
        const cst_feature_rules rules = {.margin = 0.001, .depth = 0.001};
        cst_touch_heap found = {.arena = &arena}, all = {.arena = &arena};
        const cst_feature_pair one = {.first = &a->patch, .second = &b->patch, .rules = &rules, .rounding = 0.004, .heap = &all};
        const cst_feature_pair two = {
            .first = &b->patch, .second = &a->patch, .rules = &rules, .rounding = 0.004, .heap = &all, .swapped = true};
        assert_true(cst_feature_touches(&a->patch, &b->patch, &rules, 1 + fast, &arena, &found));
        ask_all(&one);
        ask_all(&two);
        assert_true(all.count > 250);
        assert_same(&found, &all);
        free_sheet(a);
        free_sheet(b);
        cst_arena_end(&arena);
    }
}

/* Is any vertex of one feature near one of the other along the mesh? Distances by the edges of the grid, computed here. */
static bool is_one_place(const sheet *s, const cst_material_place *a, const cst_material_place *b)
{
    int32_t of[2][3];
    int count[2];
    const cst_material_place *place[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        count[k] = place[k]->kind == CST_FEATURE_VERTEX ? 1 : place[k]->kind == CST_FEATURE_EDGE ? 2 : 3;
        const cst_feature_edge *edge = s->mesh->edge + place[k]->index;
        const int32_t vertex[3] = {place[k]->index, 0, 0}, ends[3] = {edge->from, edge->to, 0};
        memcpy(of[k], count[k] == 1 ? vertex : count[k] == 2 ? ends : s->mesh->face + 3 * place[k]->index, sizeof of[k]);
    }
    for (int i = 0; i < count[0]; i++)
        for (int k = 0; k < count[1]; k++) {
            const int dx = abs(of[0][i] % (SIDE + 1) - of[1][k] % (SIDE + 1)),
                      dy = abs(of[0][i] / (SIDE + 1) - of[1][k] / (SIDE + 1));
            if (dx <= 1 && dy <= 1)
                return true;
        }
    return false;
}

/* The reach is 1.2 edges: every neighbour along an edge is near (an edge is 1/16 = 0.0625 m; diagonals of 0.088 m are beyond 0.075). */
static void a_folded_sheet(void **state)
{
    (void)state;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    sheet *s = make_sheet(0.0, 0.0, true, 3, 0.075, &arena);
    const cst_feature_rules rules = {.margin = 0.001, .depth = 0.001};
    cst_touch_heap found = {.arena = &arena};
    assert_true(cst_feature_self_touches(&s->patch, &rules, 2, &arena, &found));
    assert_true(found.count > 150);
    int across = 0;
    for (int i = 0; i < found.count; i++) {
        const cst_feature_touch *touch = found.touch + i;
        if (is_one_place(s, &touch->a, &touch->b)) /* diagonals only */
            assert_true(fabs(touch->x_a[0] - 0.5) < 0.1);
        across += fabs(touch->normal[2]) > 0.9 && fabs(touch->x_a[0] - 0.5) > 0.1;
    }
    assert_true(across > 100);
    free_sheet(s);
    cst_arena_end(&arena);
}

/* A sheet whose vertices lie on a ball touches it with each of them, and with every face that has the foot of the ball's middle within it, however many
 * there are: hundreds on one ball. */
static void a_sheet_on_a_ball(void **state)
{
    (void)state;
    static const double RADIUS = 1.0;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    sheet *s = make_sheet(0.0, 0.0, false, 5, 0.05, &arena);
    for (int i = 0; i < VERTICES; i++) {
        double x[3] = {s->x[0][3 * i] - 0.5, s->x[0][3 * i + 1] - 0.5, 1.0};
        const double length = sqrt(x[0] * x[0] + x[1] * x[1] + 1.0);
        for (int k = 0; k < 3; k++)
            s->x[0][3 * i + k] = s->x[1][3 * i + k] = (RADIUS + s->body.rounding) * x[k] / length;
    }
    assert_true(cst_feature_patch_whole(&s->body, &arena, &s->patch));
    const double middle[3] = {0.0, 0.0, 0.0};
    cst_feature_mesh *ball = cst_feature_mesh_create(middle, 1, NULL, 0, true, NULL);
    assert_non_null(ball);
    const cst_feature_body body = {
        .mesh = ball, .rounding = RADIUS, .owner = 1, .R = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    cst_feature_patch patch;
    assert_true(cst_feature_patch_whole(&body, &arena, &patch));
    const cst_feature_rules rules = {.margin = 0.001, .depth = 0.001};
    cst_touch_heap found = {.arena = &arena};
    assert_true(cst_feature_touches(&s->patch, &patch, &rules, 1, &arena, &found));
    int faces = 0, vertices = 0;
    for (int i = 0; i < found.count; i++) {
        faces += found.touch[i].a.kind == CST_FEATURE_FACE;
        vertices += found.touch[i].a.kind == CST_FEATURE_VERTEX;
    }
    assert_int_equal(vertices, VERTICES);
    assert_true(faces > FACES / 3);
    free_sheet(s);
    cst_feature_mesh_destroy(ball);
    cst_arena_end(&arena);
}

/* A flat sheet touches itself nowhere, however fine it is. */
static void a_flat_sheet(void **state)
{
    (void)state;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    sheet *s = make_sheet(0.0, 0.01, false, 4, 0.075, &arena);
    s->body.rounding = 0.015; /* edges are hardly longer than it is thick */
    const cst_feature_rules rules = {.margin = 0.005, .depth = 0.001};
    cst_touch_heap found = {.arena = &arena};
    assert_true(cst_feature_self_touches(&s->patch, &rules, 1, &arena, &found));
    assert_int_equal(found.count, 0);
    free_sheet(s);
    cst_arena_end(&arena);
}

/* The near vertices of a mesh are all vertices within the reach along edges, against all shortest paths (Floyd-Warshall). The mesh is stretched unevenly, so that
 * the path with the fewest edges is often not the shortest one. */
static void near_vertices(void **state)
{
    (void)state;
    enum { N = 6, COUNT = (N + 1) * (N + 1) };
    static double x[3 * COUNT], way[COUNT][COUNT];
    static int32_t face[6 * N * N];
    const double reach = 3.0;
    cst_rng rng;
    cst_rng_seed(&rng, 11, 0);
    for (int i = 0; i < COUNT; i++) {
        x[3 * i] = (i % (N + 1)) / (double)N;
        x[3 * i + 1] = (i / (N + 1)) / (double)N;
        x[3 * i + 2] = cst_rng_range(&rng, 0.0, 3.0);
        for (int k = 0; k < COUNT; k++)
            way[i][k] = i == k ? 0.0 : HUGE_VAL;
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const int32_t a = j * (N + 1) + i, corner[6] = {a, a + 1, a + N + 2, a, a + N + 2, a + N + 1};
            memcpy(face + 6 * (j * N + i), corner, sizeof corner);
        }
    for (int i = 0; i < 2 * N * N; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = face[3 * i + k], b = face[3 * i + (k + 1) % 3];
            const double *p = x + 3 * a, *q = x + 3 * b;
            way[a][b] = way[b][a] =
                sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
        }
    for (int m = 0; m < COUNT; m++)
        for (int i = 0; i < COUNT; i++)
            for (int k = 0; k < COUNT; k++)
                way[i][k] = fmin(way[i][k], way[i][m] + way[m][k]);
    cst_feature_mesh *mesh = cst_feature_mesh_create(x, COUNT, face, 2 * N * N, false, NULL);
    assert_non_null(mesh);
    assert_true(cst_feature_mesh_soften(mesh, 0.004, reach));
    for (int i = 0; i < COUNT; i++) {
        int within = 0;
        for (int k = 0; k < COUNT; k++)
            within += way[i][k] <= reach;
        assert_int_equal(mesh->near_start[i + 1] - mesh->near_start[i], within);
        for (int32_t k = mesh->near_start[i]; k < mesh->near_start[i + 1]; k++)
            assert_true(way[i][mesh->near[k]] <= reach);
    }
    cst_feature_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sheets),        cmocka_unit_test(a_folded_sheet), cmocka_unit_test(a_flat_sheet),
        cmocka_unit_test(a_sheet_on_a_ball), cmocka_unit_test(near_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
