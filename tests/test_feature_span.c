/* Touches of edges and faces of a sheet that their corners say: they go if all corners touch the same feature from the same side and they are little deeper, and stay
 * otherwise. A failed allocation says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/feature_span.h"

static const double LITTLE = 1e-4;
enum { SHEET = 1, BALL = 2 };

static const double vertex[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
static const int32_t triangle[] = {0, 1, 2};

/* swapped: the sheet is b. */
static cst_feature_touch touch_of(cst_feature_kind kind, int32_t index, double share, double angle, double gap, bool swapped)
{
    const cst_material_place sheet = {.owner = SHEET, .kind = kind, .index = index, .c = {share, share}};
    const cst_material_place ball = {.owner = BALL, .kind = CST_FEATURE_VERTEX};
    return (cst_feature_touch){
        .a = swapped ? ball : sheet, .b = swapped ? sheet : ball, .normal = {sin(angle), 0.0, cos(angle)}, .gap = gap};
}

static int32_t edge_between(const cst_feature_mesh *mesh, int32_t a, int32_t b)
{
    for (int32_t e = 0; e < mesh->edges; e++)
        if (mesh->edge[e].from + mesh->edge[e].to == a + b)
            return e;
    return -1;
}

/* Touches of all three vertices, of the edge between 0 and 1, and of the face; `change` makes the list another one. Returns how many are left. */
static int left_on(double radius, void (*change)(cst_feature_touch *touch, double by), double by, bool swapped)
{
    cst_feature_mesh *mesh = cst_feature_mesh_create(vertex, 3, triangle, 1, false, NULL);
    assert_non_null(mesh);
    cst_feature_touch touch[] = {touch_of(CST_FEATURE_EDGE, edge_between(mesh, 0, 1), 0.5, 0.0, 0.5 * LITTLE, swapped),
                                 touch_of(CST_FEATURE_VERTEX, 2, 0.0, 0.0, LITTLE, swapped),
                                 touch_of(CST_FEATURE_VERTEX, 0, 0.0, 0.0, 0.0, swapped),
                                 touch_of(CST_FEATURE_FACE, 0, 0.25, 0.0, 0.25 * LITTLE, swapped),
                                 touch_of(CST_FEATURE_VERTEX, 1, 0.0, 0.0, 2.0 * LITTLE, swapped)};
    enum { COUNT = sizeof touch / sizeof *touch };
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    if (change)
        change(touch, by);
    assert_true(cst_feature_mesh_soften(mesh, 1e-3, 1e-3));
    const int left = cst_feature_span(touch, COUNT, mesh, SHEET, radius, LITTLE, &arena);
    for (int i = 0, vertices = 0; i < left; i++) { /* vertices stay, in their order */
        static const int32_t order[] = {2, 0, 1};
        const cst_material_place *own = swapped ? &touch[i].b : &touch[i].a;
        if (own->kind == CST_FEATURE_VERTEX)
            assert_int_equal(own->index, order[vertices++]);
    }
    cst_arena_end(&arena);
    cst_feature_mesh_destroy(mesh);
    return left;
}

/* On a ball that is flat enough: the longest edge has the length sqrt(2). */
static int left_of(void (*change)(cst_feature_touch *touch, double by), double by, bool swapped)
{
    return left_on(1.01 * 2.0 / (6.0 * LITTLE), change, by, swapped);
}

static void lower_edge(cst_feature_touch *touch, double by)
{
    touch[0].gap -= by;
}

static void lower_face(cst_feature_touch *touch, double by)
{
    touch[3].gap -= by;
}

static void turn_corner(cst_feature_touch *touch, double by)
{
    touch[2].normal[0] = sin(by);
    touch[2].normal[2] = cos(by);
}

/* Vertex 2, which the edge does not have, touches another feature. */
static void other_feature(cst_feature_touch *touch, double by)
{
    (void)by;
    touch[1].b.index = 1;
}

static void what_corners_say_goes(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        assert_int_equal(left_of(NULL, 0.0, swapped), 3);
        assert_int_equal(left_of(lower_edge, 0.4 * LITTLE, swapped), 3); /* 0.9 deeper than its ends say */
        assert_int_equal(left_of(lower_edge, 0.6 * LITTLE, swapped), 4);
        assert_int_equal(left_of(lower_face, 0.4 * LITTLE, swapped), 3); /* 0.9: they say 0.75 */
        assert_int_equal(left_of(lower_face, 0.6 * LITTLE, swapped), 4);
        assert_int_equal(left_of(turn_corner, 0.17, swapped), 3); /* 10 degrees are 0.1745 */
        assert_int_equal(left_of(turn_corner, 0.18, swapped), 5);
    }
    assert_int_equal(left_of(other_feature, 0.0, false), 4);
    assert_int_equal(left_on(0.99 * 2.0 / (6.0 * LITTLE), NULL, 0.0, false), 5);
    assert_int_equal(left_on(0.0, NULL, 0.0, false), 5);
}

static void *refuse(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void release(void *user, void *memory, size_t size)
{
    (void)user, (void)size;
    free(memory);
}

static void says_that_memory_ran_out(void **state)
{
    (void)state;
    const cst_allocator none = {.acquire = refuse, .release = release};
    cst_feature_touch touch = touch_of(CST_FEATURE_VERTEX, 0, 0.0, 0.0, 0.0, false);
    cst_feature_mesh *mesh = cst_feature_mesh_create(vertex, 3, triangle, 1, false, NULL);
    assert_non_null(mesh);
    cst_arena arena;
    cst_arena_begin(&arena, &none);
    assert_int_equal(cst_feature_span(&touch, 1, mesh, SHEET, 1.0, LITTLE, &arena), -1);
    cst_arena_end(&arena);
    cst_feature_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_corners_say_goes), cmocka_unit_test(says_that_memory_ran_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
