/* Detection on several threads: the same touches, bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/collide_fixture.h"

static collide_scene s;

static void same_on_any_number(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 61, 0);
    fixture_begin(&s);
    for (int r = 0; r < 120; ++r) {
        double x[2], k[30];
        x[0] = cst_rng_range(&rng, -0.2, 0.2);
        x[1] = cst_rng_range(&rng, -0.2, 0.2);
        for (int e = 0; e < 30; ++e)
            k[e] = cst_rng_range(&rng, -5.0, 12.0);
        s.flags[fixture_rod(&s, x, cst_rng_range(&rng, -3.0, 3.0), k, 30, 0.02, 0.003, 0.003, false)] = CST_OWNER_SELF_CONTACT;
    }
    fixture_plane(&s, 0.6, 0.8, -0.2);
    const int touches = fixture_detect(&s);
    assert_true(touches > 1000);
    cst_touch *one = malloc((size_t)touches * sizeof *one);
    assert_non_null(one);
    memcpy(one, s.touch, (size_t)touches * sizeof *one);
    for (int threads = 2; threads <= 4; ++threads) {
        s.scene.threads = threads;
        assert_int_equal(fixture_detect(&s), touches);
        for (int t = 0; t < touches; ++t)
            assert_true(fixture_same(&one[t], &s.touch[t]));
    }
    free(one);
    cst_detector_end(&s.detector);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_on_any_number)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
