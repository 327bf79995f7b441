/* A warm step asks nobody for memory, and a world gives back what it took. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"
#include "world/block_cache.h"
#include "world_fixture.h"

typedef struct counted {
    long acquired, live;
    size_t bytes;
} counted;

static void *acquire(void *user, size_t bytes)
{
    counted *c = user;
    c->acquired++;
    c->live++;
    c->bytes += bytes;
    return malloc(bytes);
}

static void release(void *user, void *memory, size_t bytes)
{
    counted *c = user;
    c->live--;
    c->bytes -= bytes;
    free(memory);
}

/* Rods that lie and slide, disks that roll, a chain held by pins; iterated or not. */
static cst_world *lively_world(counted *memory, int iterations)
{
    char message[256];
    cst_world_def def = cst_world_def_default(2);
    def.friction.allocator = (cst_allocator){acquire, release, memory};
    def.time_step.iterations = iterations;
    cst_world *world = world_of(&def);
    world_incline(world, 0.35);
    const cst_rod_def chained = rod_on_incline(0.35, 6, CST_ROD_CHAINED);
    world_rod(world, &chained);
    cst_rod_def mixed = rod_on_incline(0.35, 30, CST_ROD_MIXED);
    mixed.position[0] += 1.5;
    mixed.position[1] += 0.05 - 1.5 * 0.36502849;
    world_rod(world, &mixed);
    for (int k = 0; k < 10; k++)
        world_disk(world, 0.05, -0.2 - 0.11 * k, 0.3 + 0.11 * k);
    cst_constraint_def pin = cst_constraint_def_default();
    pin.a.body = 1;
    pin.b.body = 0;
    assert_true(cst_world_add_constraint(world, &pin, message, sizeof message) != 0);
    return world;
}

static void warm_steps_take_nothing(void **state)
{
    (void)state;
    for (int iterations = 1; iterations <= 4; iterations += 3) {
        counted memory = {0};
        cst_world *world = lively_world(&memory, iterations);
        cst_step_report report;
        int contacts = 0;
        for (int k = 0; k < (SANITIZED ? 60 : 600); k++)
            assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
        const long warm = memory.acquired;
        for (int k = 0; k < (SANITIZED ? 30 : 300); k++) {
            assert_true(cst_world_step(world, &report) <= CST_TOLERANCE_MISSED);
            contacts = report.contacts > contacts ? report.contacts : contacts;
        }
        assert_true(SANITIZED || (contacts > 30 && memory.acquired == warm)); /* not warm in a tenth of the time */
        cst_world_free(world);
        assert_int_equal(memory.live, 0);
        assert_int_equal(memory.bytes, 0);
    }
}

/* Blocks come back: the same ones for the same sequence of sizes, and outgrown ones are let go. */
static void cache_recycles(void **state)
{
    (void)state;
    counted memory = {0};
    cst_block_cache cache;
    cst_block_cache_begin(&cache, &(cst_allocator){acquire, release, &memory});
    const cst_allocator allocator = cst_block_cache_allocator(&cache);
    void *first = NULL;
    for (int turn = 0; turn < 5; turn++) {
        void *a = allocator.acquire(allocator.user, 1000), *b = allocator.acquire(allocator.user, 70000);
        assert_true(a && b && a != b);
        memset(a, 1, 1000);
        memset(b, 2, 70000);
        assert_true(!first || a == first);
        first = a;
        allocator.release(allocator.user, a, 1000);
        allocator.release(allocator.user, b, 70000);
    }
    assert_int_equal(memory.acquired, 2);
    /* a little more than before still fits; much more takes the place of the largest */
    void *b = allocator.acquire(allocator.user, 70100);
    allocator.release(allocator.user, b, 70100);
    assert_int_equal(memory.acquired, 2);
    b = allocator.acquire(allocator.user, 700000);
    assert_int_equal(memory.acquired, 3);
    assert_int_equal(memory.live, 2);
    allocator.release(allocator.user, b, 700000);
    assert_null(allocator.acquire(allocator.user, SIZE_MAX - 10));
    cst_block_cache_end(&cache);
    assert_int_equal(memory.live, 0);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warm_steps_take_nothing), cmocka_unit_test(cache_recycles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
