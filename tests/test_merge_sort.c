#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/merge_sort.h"
#include "base/rng.h"

typedef struct item {
    int key, place;
    char ballast[20];
} item;

static int by_key(const void *p, const void *q)
{
    const item *x = p, *y = q;
    return (x->key > y->key) - (x->key < y->key);
}

/* Every length up to 130, few keys: in order, nothing lost, equals as they stood. */
static void sorted_and_stable(void **state)
{
    (void)state;
    enum { COUNT = 130 };
    item items[COUNT], scratch[COUNT];
    cst_rng rng;
    cst_rng_seed(&rng, 7, 0);
    for (int count = 0; count <= COUNT; count++) {
        int left[8] = {0};
        for (int k = 0; k < count; k++) {
            items[k] = (item){.key = cst_rng_integer(&rng, 8), .place = k};
            left[items[k].key]++;
        }
        cst_merge_sort(items, scratch, (size_t)count, sizeof *items, by_key);
        for (int k = 0; k < count; k++) {
            left[items[k].key]--;
            if (k > 0)
                assert_true(items[k - 1].key < items[k].key ||
                            (items[k - 1].key == items[k].key && items[k - 1].place < items[k].place));
        }
        for (int key = 0; key < 8; key++)
            assert_int_equal(left[key], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorted_and_stable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
