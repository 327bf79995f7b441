/* Near-duplicates among the touches of sheets: one is left of each place and side, the deepest, whatever the order; a failed allocation says so. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/feature_prune.h"

static const double SAME = 1e-4;

static cst_feature_touch touch_at(cst_feature_kind kind, int32_t index, double x, double angle, double gap)
{
    return (cst_feature_touch){.a = {.kind = kind, .index = index},
                               .b = {.owner = 2, .kind = CST_FEATURE_FACE, .index = index},
                               .x_a = {x, 0.5 * gap, 0.0},
                               .x_b = {x, -0.5 * gap, 0.0},
                               .normal = {sin(angle), cos(angle), 0.0},
                               .gap = gap};
}

static void deepest_of_each_place_stays(void **state)
{
    (void)state;
    const double degree = 3.141592653589793 / 180.0;
    const cst_feature_touch at[] = {
        touch_at(CST_FEATURE_VERTEX, 0, 0.0, 0.0, 1e-5),                /* shallower than the next one */
        touch_at(CST_FEATURE_EDGE, 1, 0.5 * SAME, 9.0 * degree, 0.0),   /* the same place: stays */
        touch_at(CST_FEATURE_EDGE, 2, 0.2 * SAME, 30.0 * degree, 2e-5), /* another side: stays */
        touch_at(CST_FEATURE_EDGE, 3, 3.0 * SAME, 0.0, 0.0), /* equal to the next one, later in the order of features */
        touch_at(CST_FEATURE_VERTEX, 4, 3.0 * SAME, 0.0, 1e-9 * SAME),
        touch_at(CST_FEATURE_VERTEX, 5, 5.0 * SAME, 0.0, 0.0)};
    enum { COUNT = sizeof at / sizeof *at };
    const int32_t expected[] = {1, 2, 4, 5};
    for (int turn = 0; turn < COUNT; turn++) { /* any order of the list */
        cst_feature_touch touch[COUNT];
        bool seen[COUNT] = {false};
        cst_arena arena;
        cst_arena_begin(&arena, NULL);
        for (int i = 0; i < COUNT; i++)
            touch[i] = at[(i + turn) % COUNT];
        assert_int_equal(cst_feature_prune(touch, COUNT, SAME, &arena), 4);
        for (int i = 0; i < 4; i++)
            seen[touch[i].a.index] = true;
        for (int i = 0; i < 4; i++)
            assert_true(seen[expected[i]]);
        cst_arena_end(&arena);
    }
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
    cst_feature_touch touch[2] = {touch_at(CST_FEATURE_VERTEX, 0, 0.0, 0.0, 0.0), touch_at(CST_FEATURE_VERTEX, 1, 0.0, 0.0, 0.0)};
    cst_arena arena;
    cst_arena_begin(&arena, &none);
    assert_int_equal(cst_feature_prune(touch, 2, SAME, &arena), -1);
    assert_int_equal(cst_feature_prune(touch, 1, SAME, &arena), 1);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(deepest_of_each_place_stays), cmocka_unit_test(says_that_memory_ran_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
