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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(found_at_each_pose), cmocka_unit_test(only_what_may_touch),
                                       cmocka_unit_test(with_itself)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
