/* Triangles of sheets that cross: found at either pose, with owners and place; not those that share a vertex, that may not touch, or that are near each other only. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide/feature_crossing.h"

static const double IDENTITY[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
static const double flat[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
static const double upright[] = {0.2, 0.2, -0.5, 0.3, 0.2,
                                 0.5, 0.2, 0.3,  0.5}; /* goes through `flat` at (0.2..0.25, 0.2..0.25, 0) */
static const int32_t one_triangle[] = {0, 1, 2};

typedef struct trial {
    cst_feature_mesh *mesh[2];
    cst_feature_body body[2];
    uint8_t flags[2];
    cst_owner_pair apart;
    cst_feature_scene scene;
    cst_arena arena;
} trial;

/* Two bodies of one triangle each; the second is lifted by `lift[pose]`. */
static void begin(trial *t, bool soft, const double lift[2])
{
    *t = (trial){0};
    cst_arena_begin(&t->arena, NULL);
    for (int k = 0; k < 2; ++k) {
        t->mesh[k] = cst_feature_mesh_create(k == 0 ? flat : upright, 3, one_triangle, 1, false, NULL);
        assert_non_null(t->mesh[k]);
        t->mesh[k]->soft = soft && k == 0;
        t->body[k] = (cst_feature_body){.owner = k, .mesh = t->mesh[k]};
        for (int pose = 0; pose < 2; ++pose) {
            memcpy(t->body[k].R[pose], IDENTITY, sizeof IDENTITY);
            t->body[k].x[pose][2] = k == 1 ? lift[pose] : 0.0;
        }
    }
    t->apart = (cst_owner_pair){0, 1};
    t->scene = (cst_feature_scene){.bodies = 2, .body = t->body, .owner_flags = t->flags, .apart = &t->apart, .threads = 1};
}

static void end(trial *t)
{
    cst_feature_mesh_destroy(t->mesh[0]);
    cst_feature_mesh_destroy(t->mesh[1]);
    cst_arena_end(&t->arena);
}

static void found_at_each_pose(void **state)
{
    (void)state;
    trial t;
    cst_feature_crossing first;
    begin(&t, true, (const double[2]){0.501, 0.0});
    assert_int_equal(cst_feature_crossings(&t.scene, 0, &t.arena, &first),
                     0); /* its lowest vertex is 1 mm above the other triangle */
    assert_int_equal(cst_feature_crossings(&t.scene, 1, &t.arena, &first), 1);
    assert_true(first.owner[0] == 0 && first.owner[1] == 1 && fabs(first.place[2]) < 1e-15);
    assert_true(first.place[0] >= 0.2 && first.place[0] <= 0.25 && first.place[1] >= 0.2 && first.place[1] <= 0.25);
    t.body[1].x[1][0] = 1.0; /* beside it */
    assert_int_equal(cst_feature_crossings(&t.scene, 1, &t.arena, &first), 0);
    end(&t);
}

static void only_what_may_touch(void **state)
{
    (void)state;
    trial t;
    cst_feature_crossing first;
    begin(&t, true, (const double[2]){0.0, 0.0});
    t.scene.aparts = 1;
    assert_int_equal(cst_feature_crossings(&t.scene, 1, &t.arena, &first), 0);
    end(&t);
    begin(&t, false, (const double[2]){0.0, 0.0}); /* two rigid ones: not asked */
    assert_int_equal(cst_feature_crossings(&t.scene, 1, &t.arena, &first), 0);
    end(&t);
}

/* One mesh of three triangles: the second shares vertex 0 with the first, the third shares none; both go through the first. */
static void with_itself(void **state)
{
    (void)state;
    static const double vertex[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0,  0.0, 1.0, 0.0, 0.3, 0.4, -0.5,
                                    0.4, 0.3, 0.5, 0.2, 0.2, -0.5, 0.3, 0.2, 0.5, 0.2, 0.3, 0.5};
    static const int32_t triangle[] = {0, 1, 2, 0, 3, 4, 5, 6, 7};
    cst_feature_crossing first;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    for (int triangles = 2; triangles <= 3; ++triangles)
        for (int touches = 0; touches < 2; ++touches) {
            const uint8_t flags[1] = {touches ? CST_OWNER_SELF_CONTACT : 0};
            cst_feature_mesh *mesh = cst_feature_mesh_create(vertex, 8, triangle, triangles, false, NULL);
            assert_non_null(mesh);
            mesh->soft = true;
            cst_feature_body body = {.mesh = mesh};
            memcpy(body.R[1], IDENTITY, sizeof IDENTITY);
            const cst_feature_scene scene = {.bodies = 1, .body = &body, .owner_flags = flags, .threads = 1};
            const int found = cst_feature_crossings(&scene, 1, &arena, &first);
            assert_true(touches && triangles == 3 ? found >= 1 : found == 0);
            assert_true(found == 0 || (first.owner[0] == 0 && first.owner[1] == 0));
            cst_feature_mesh_destroy(mesh);
        }
    cst_arena_end(&arena);
}

/* A strip of six triangles along x, of which three upright blades may cross the third and the fifth triangle. Vertices 0 to 7 are
 * the strip; vertices 8 to 16 are the blades: near triangle 1, near triangle 2 (which shares vertices with 1), near triangle 5. */
static void new_pairs_are_told_from_old_ones(void **state)
{
    (void)state;
    double vertex[2][51] = {{0}};
    int32_t triangle[27];
    for (int i = 0; i < 8; ++i) {
        vertex[0][3 * i] = i / 2;
        vertex[0][3 * i + 1] = i % 2;
    }
    for (int i = 0; i < 18; ++i)
        triangle[i] = i / 3 + i % 3;
    static const double at[3][2] = {{0.7, 0.7}, {1.3, 0.3}, {2.7, 0.7}}; /* over triangles 1, 2 and 5 */
    for (int b = 0; b < 3; ++b)
        for (int k = 0; k < 3; ++k) {
            double *x = vertex[0] + 3 * (8 + 3 * b + k);
            x[0] = at[b][0] + (k == 1 ? 0.02 : 0.0);
            x[1] = at[b][1] + (k == 2 ? 0.02 : 0.0);
            x[2] = k == 0 ? 0.1 : 1.0; /* above the strip */
            triangle[18 + 3 * b + k] = 8 + 3 * b + k;
        }
    memcpy(vertex[1], vertex[0], sizeof vertex[0]);
    const uint8_t flags[1] = {CST_OWNER_SELF_CONTACT};
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_feature_mesh *mesh = cst_feature_mesh_create(vertex[0], 17, triangle, 9, false, NULL);
    assert_non_null(mesh);
    mesh->soft = true;
    cst_feature_body body = {.mesh = mesh, .vertex = {vertex[0], vertex[1]}};
    memcpy(body.R[0], IDENTITY, sizeof IDENTITY);
    memcpy(body.R[1], IDENTITY, sizeof IDENTITY);
    const cst_feature_scene scene = {.bodies = 1, .body = &body, .owner_flags = flags, .threads = 1};
    /* which blades reach through the strip at the start and at the end, and how many pairs cross and are new at the end */
    static const struct {
        bool start[3], end[3];
        int pairs, fresh;
        double x; /* of the first new pair, or of the first pair */
    } cases[] = {
        {{false, false, false}, {false, false, false}, 0, 0, 0.0}, {{true, true, true}, {false, false, false}, 0, 0, 0.0},
        {{false, false, false}, {true, false, true}, 2, 2, 0.7},   {{true, false, false}, {true, false, false}, 1, 0, 0.7},
        {{true, false, false}, {true, false, true}, 2, 1, 2.7},    {{true, false, false}, {false, false, true}, 1, 1, 2.7},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        for (int b = 0; b < 3; ++b) {
            vertex[0][3 * (8 + 3 * b) + 2] = cases[c].start[b] ? -1.0 : 0.1;
            vertex[1][3 * (8 + 3 * b) + 2] = cases[c].end[b] ? -1.0 : 0.1;
        }
        cst_crossing_change change;
        assert_true(cst_feature_crossings_change(&scene, &arena, &change));
        assert_int_equal(change.pairs, cases[c].pairs);
        assert_int_equal(change.fresh, cases[c].fresh);
        assert_true(change.pairs == 0 || fabs(change.first.place[0] - cases[c].x) < 0.03);
    }
    /* a blade that crosses triangle 1 at the start and triangle 2, which shares two vertices with it, at the end */
    for (int pose = 0; pose < 2; ++pose)
        for (int k = 0; k < 3; ++k) {
            double *x = vertex[pose] + 3 * (8 + k);
            x[0] = at[pose][0] + (k == 1 ? 0.02 : 0.0);
            x[1] = at[pose][1] + (k == 2 ? 0.02 : 0.0);
            x[2] = k == 0 ? -1.0 : 1.0;
        }
    vertex[1][3 * 14 + 2] = 0.1; /* the last blade is above again */
    cst_crossing_change change;
    assert_true(cst_feature_crossings_change(&scene, &arena, &change));
    assert_true(change.pairs == 1 && change.fresh == 0 && fabs(change.first.place[0] - 1.3) < 0.03);
    cst_feature_mesh_destroy(mesh);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found_at_each_pose), cmocka_unit_test(only_what_may_touch),
                                       cmocka_unit_test(with_itself), cmocka_unit_test(new_pairs_are_told_from_old_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
