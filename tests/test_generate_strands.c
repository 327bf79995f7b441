/* Strand piles: density that does not depend on the size, contacts that are what they say, pairs against all pairs, a hundred
 * thousand contacts with memory linear in them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "generate/family.h"
#include "generate/strand.h"
#include "sanitized.h"

static cst_generated *make(const char *family, uint64_t seed, int strands)
{
    cst_family_parameters asked = cst_family_parameters_default();
    asked.bodies = strands;
    cst_generated *g = cst_family_find(family)->make(seed, &asked, NULL);
    assert_non_null(g);
    return g;
}

/* Blocks in a row of W: contacts that share a body. */
static double blocks_per_row(const cst_body_problem *p)
{
    int *on = calloc((size_t)p->bodies, sizeof *on);
    assert_non_null(on);
    for (int i = 0; i < p->contacts; i++) {
        if (p->side_a[i].body >= 0)
            on[p->side_a[i].body]++;
        if (p->side_b[i].body >= 0)
            on[p->side_b[i].body]++;
    }
    double blocks = 0;
    for (int b = 0; b < p->bodies; b++)
        blocks += (double)on[b] * on[b];
    for (int i = 0; i < p->contacts; i++) /* pairs with two contacts were counted through both bodies */
        for (int j = i; j < p->contacts && p->side_a[j].body == p->side_a[i].body && p->side_b[j].body == p->side_b[i].body; j++)
            if (p->side_b[i].body >= 0)
                blocks -= j == i ? 1 : 2;
    free(on);
    return blocks / p->contacts;
}

static void test_hair_like_at_any_size(void **state)
{
    (void)state;
    const int strands[] = {100, 400};
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cst_generated *g = make("strands", seed, strands[k]);
            const cst_body_problem *p = &g->problem;
            assert_int_equal(p->bodies, strands[k]);
            assert_int_equal(p->body[0].size, 24);
            double per_strand = (double)p->contacts / p->bodies, blocks = blocks_per_row(p);
            assert_true(per_strand > 9.5 && per_strand < 12);
            assert_true(g->nu > 1.2 && g->nu < 1.5);
            assert_true(blocks > 35 && blocks < 50);
            cst_generated_free(g);
        }
}

static void test_variants(void **state)
{
    (void)state;
    cst_generated *moving = make("strands", 4, 60), *rest = make("strands-rest", 4, 60), *stiff = make("strands-stiff", 4, 60);
    assert_int_equal(moving->problem.contacts, rest->problem.contacts);
    int touching = 0;
    for (int i = 0; i < rest->problem.contacts; i++) {
        assert_true(moving->problem.velocity_offset[3 * i] > 0); /* v = 0 is strictly feasible */
        assert_true(rest->problem.velocity_offset[3 * i] >= 0);
        touching += rest->problem.velocity_offset[3 * i] == 0;
    }
    assert_true(touching > rest->problem.contacts / 5 && touching < rest->problem.contacts);
    double soft_trace = 0, stiff_trace = 0;
    for (int k = 0; k < 24; k++) {
        soft_trace += moving->problem.body[0].matrix[25 * k];
        stiff_trace += stiff->problem.body[0].matrix[25 * k];
    }
    assert_true(stiff_trace > 20 * soft_trace);
    cst_generated_free(moving);
    cst_generated_free(rest);
    cst_generated_free(stiff);
}

static double distance_of(const cst_strand_set *set, int a, int b)
{
    const double *p = set->x + 3 * a, *q = set->x + 3 * b;
    double best = INFINITY;
    for (int i = 0; i <= 50; i++)
        for (int j = 0; j <= 50; j++) {
            double sum = 0, s = i / 50.0, t = j / 50.0;
            for (int k = 0; k < 3; k++) {
                double d = p[k] + s * (p[3 + k] - p[k]) - q[k] - t * (q[3 + k] - q[k]);
                sum += d * d;
            }
            best = fmin(best, sum);
        }
    return sqrt(best);
}

/* The hash finds exactly the pairs that a look at all of them finds; distances against a scan of both segments. */
static void test_pairs_against_all_pairs(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_strand_set set;
    assert_true(cst_strand_shape(&set, 30, 6, &rng, &arena));
    cst_segment_pairs pairs = {.count = 0};
    const double reach = 2e-3;
    assert_true(cst_strand_near_pairs(&set, reach, NULL, &pairs));
    int64_t all = 0;
    int m = set.samples, points = set.strands * m;
    for (int a = 0; a < points; a++)
        for (int b = a + 1; b < points; b++) {
            if (a / m == b / m || a % m == m - 1 || b % m == m - 1)
                continue;
            double s, t, d[3];
            cst_segment_closest(set.x + 3 * a, set.x + 3 * a + 3, set.x + 3 * b, set.x + 3 * b + 3, &s, &t, d);
            all += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
        }
    assert_true(pairs.count > 100);
    assert_true(pairs.count == all);
    for (int64_t k = 0; k < pairs.count; k++) {
        int a = pairs.pair[k][0], b = pairs.pair[k][1];
        double s, t, d[3];
        assert_true(a < b && a / m != b / m);
        cst_segment_closest(set.x + 3 * a, set.x + 3 * a + 3, set.x + 3 * b, set.x + 3 * b + 3, &s, &t, d);
        double found = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), scanned = distance_of(&set, a, b);
        assert_true(found <= scanned * (1 + 1e-12) && scanned - found < 3e-4);
    }
    cst_segment_pairs_free(&pairs);
    cst_arena_end(&arena);
}

static void test_contacts_of_a_pair_keep_apart(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_strand_set set;
    assert_true(cst_strand_shape(&set, 60, 8, &rng, &arena));
    int count;
    cst_strand_contact *c = cst_strand_contacts(&set, 3e-4, &arena, &count);
    assert_non_null(c);
    assert_true(count > 300);
    for (int i = 0; i < count; i++) {
        double length = c[i].normal[0] * c[i].normal[0] + c[i].normal[1] * c[i].normal[1] + c[i].normal[2] * c[i].normal[2];
        assert_true(fabs(length - 1) < 1e-14);
        assert_true(c[i].gap < 3e-4);
        if (i == 0)
            continue;
        bool same_a = c[i].strand_a == c[i - 1].strand_a;
        assert_true(c[i].strand_a > c[i - 1].strand_a || (same_a && c[i].strand_b >= c[i - 1].strand_b));
        if (same_a && c[i].strand_b == c[i - 1].strand_b)
            assert_true(c[i].sample_a + c[i].s_a - c[i - 1].sample_a - c[i - 1].s_a >= CST_STRAND_SEGMENTS_PER_NODE);
    }
    cst_arena_end(&arena);
}

static void test_hundred_thousand_contacts(void **state)
{
    (void)state;
    int contacts = SANITIZED ? 15000 : 100000;
    cst_family_parameters asked = cst_family_parameters_default();
    asked.contacts = contacts;
    cst_generated *g = cst_family_find("strands")->make(1, &asked, NULL);
    assert_non_null(g);
    int n = g->problem.contacts;
    assert_true(n > 0.9 * contacts && n < 1.15 * contacts);
    double bytes = (double)g->arena.bytes / n;
    cst_generated *small = make("strands", 1, 100);
    double bytes_small = (double)small->arena.bytes / small->problem.contacts;
    assert_true(bytes < 1.2 * bytes_small);
    cst_generated_free(g);
    cst_generated_free(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hair_like_at_any_size),     cmocka_unit_test(test_variants),
        cmocka_unit_test(test_pairs_against_all_pairs),   cmocka_unit_test(test_contacts_of_a_pair_keep_apart),
        cmocka_unit_test(test_hundred_thousand_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
