/* Sorting by code: few items (merge sort) and many (radix sort), equal codes in their order, bits above the given ones ignored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "collide/code_order.h"

static void sorts(int count, int bits, uint64_t spread)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_coded *item = CST_TAKE(&arena, cst_coded, count + 1), *scratch = CST_TAKE(&arena, cst_coded, count + 1);
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t random = 12345;
    for (int i = 0; i < count; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        item[i] = (cst_coded){.code = (random >> 11) % spread | random << bits, .index = i};
    }
    const cst_coded *sorted = cst_sort_by_code(item, scratch, count, bits, &arena);
    assert_non_null(sorted);
    int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += sorted[i].index;
        if (i == 0)
            continue;
        const uint64_t a = sorted[i - 1].code & mask, b = sorted[i].code & mask;
        assert_true(a < b || (a == b && sorted[i - 1].index < sorted[i].index));
    }
    assert_int_equal(sum, (int64_t)count * (count - 1) / 2);
    cst_arena_end(&arena);
}

static void few_and_many(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 3, 7, 8, 160, 1023, 1024, 1025, 5000};
    for (int k = 0; k < (int)(sizeof counts / sizeof *counts); ++k) {
        sorts(counts[k], 44, (uint64_t)1 << 40);
        sorts(counts[k], 44, 17); /* many equal codes */
        sorts(counts[k], 11, 2048);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_and_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
