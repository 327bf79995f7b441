/* The judge: closed forms by hand, the scale, invariance, NaN, and agreement with an implementation of its own on random data. */
#include "tests/friction_fixture.h"

/* One contact with the given diagonal compliance. */
static owned_problem one_contact(int dim, double compliance, const double *w, double mu)
{
    owned_problem one = problem_new(dim, 1, 1);
    one.row_start[1] = 1;
    for (int k = 0; k < dim; k++) {
        one.block[k * dim + k] = compliance;
        one.free_velocity[k] = w[k];
    }
    one.mu[0] = mu;
    return one;
}

static cst_residual residual_of(const cst_friction_problem *problem, const double *r)
{
    cst_residual out;
    memset(&out, 0x5a, sizeof out);
    cst_friction_residual(problem, r, 0.0, &out);
    return out;
}

/* An answer of one contact and what is wrong with it, in units of V = 1: W = compliance I, w = u - W r. */
typedef struct by_hand {
    const char *what;
    int dim;
    double mu, r[3], u[3]; /* scaled: r is w r / V */
    double error, cone, penetration, complementarity;
} by_hand;

static const by_hand CASES[] = {
    {"take-off", 3, 0.5, {0, 0, 0}, {2, 1, -3}, 0, 0, 0, 0},
    {"grazing", 3, 0.5, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0},
    {"take-off of a sliding contact", 3, 0.5, {0, 0, 0}, {0, 3, 4}, 0, 0, 0, 0},
    {"stick", 3, 0.5, {2, 0.3, -0.4}, {0, 0, 0}, 0, 0, 0, 0},
    {"stick on the edge", 3, 0.5, {2, 0.6, -0.8}, {0, 0, 0}, 0, 0, 0, 0},
    {"slide", 3, 0.5, {2, 0.6, -0.8}, {0, -3, 4}, 0, 0, 0, 0},
    {"stick", 2, 0.5, {2, -0.5, 0}, {0, 0, 0}, 0, 0, 0, 0},
    {"slide", 2, 0.5, {2, -1, 0}, {0, 7, 0}, 0, 0, 0, 0},
    {"frictionless, sliding freely", 3, 0.0, {2, 0, 0}, {0, 5, 5}, 0, 0, 0, 0},
    /* penetrating without impulse: the approach itself */
    {"penetration", 3, 0.5, {0, 0, 0}, {-0.25, 0, 0}, 0.25, 0, 0.25, 0},
    {"penetration while sticking", 3, 0.5, {2, 0, 0}, {-0.25, 0, 0}, 0.25, 0, 0.25, 0.5},
    {"adhesion", 3, 0.5, {-0.25, 0, 0}, {1, 0, 0}, 0.25, 0.125, 0, 0.25},
    /* u_N < r_N: the normal velocity is the defect; the complementarity is the product */
    {"impulse on a separating contact", 3, 0.5, {2, 0, 0}, {0.25, 0, 0}, 0.25, 0, 0, 0.5},
    {"tiny impulse on a separating contact", 3, 0.5, {0.25, 0, 0}, {2, 0, 0}, 0.25, 0, 0, 0.5},
    /* radius 1, r_T of length 1.5 in the direction (3, 4)/5 at rest: the projection takes 0.5 away */
    {"outside the cone", 3, 0.5, {2, 0.9, 1.2}, {0, 0, 0}, 0.5, 0.5, 0, 0},
    {"outside the cone", 2, 0.5, {2, 1.5, 0}, {0, 0, 0}, 0.5, 0.5, 0, 0},
    /* creeping inside the cone: r_T - u_T stays inside, the defect is u_T; r . u~ = 2 (0.5 x 0.25) + 0 */
    {"creep while sticking", 3, 0.5, {2, 0, 0}, {0, 0.25, 0}, 0.25, 0, 0, 0.25},
    /* sliding along +x with friction along +x: y = (1 - 3, 0), projected on -1: defect 2; r . u~ = 2 (0.5 x 3) + 1 x 3 */
    {"friction pushing along", 3, 0.5, {2, 1, 0}, {0, 3, 0}, 2, 0, 0, 6},
    {"friction pushing along", 2, 0.5, {2, 1, 0}, {0, 3, 0}, 2, 0, 0, 6},
    /* sliding along x, friction across: (-4, 1)/sqrt(17) - (0, 1) has length sqrt(2 - 2/sqrt(17)); r . u~ = 2 x 2 */
    {"friction across", 3, 0.5, {2, 0, 1}, {0, 4, 0}, 1.2308244188052713, 0, 0, 4},
    /* tangential impulse without friction */
    {"tangential impulse, mu 0", 3, 0.0, {2, 0.3, 0.4}, {0, 0, 0}, 0.5, 0.5, 0, 0},
    {"tangential impulse, open", 3, 0.5, {0, 0.3, 0.4}, {1, 0, 0}, 0.5, 0.5, 0, 0},
};

static void test_closed_forms(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
        const by_hand *hand = &CASES[c];
        const double compliance = 4.0; /* a power of two: no rounding of its own */
        double r[3], w[3];
        for (int k = 0; k < hand->dim; k++) {
            r[k] = hand->r[k] / compliance;
            w[k] = hand->u[k] - hand->r[k];
        }
        owned_problem one = one_contact(hand->dim, compliance, w, hand->mu);
        cst_residual seen;
        cst_friction_residual(&one.problem, r, 1.0, &seen);
        const double slack = 1e-15;
        if (fabs(seen.error - hand->error) > slack || fabs(seen.cone_violation - hand->cone) > slack ||
            fabs(seen.penetration - hand->penetration) > slack || fabs(seen.complementarity - hand->complementarity) > slack)
            fail_msg("%s (%dD): E %.17g, cone %.17g, penetration %.17g, complementarity %.17g", hand->what, hand->dim, seen.error,
                     seen.cone_violation, seen.penetration, seen.complementarity);
        assert_true(seen.velocity_scale == 1.0);
        assert_int_equal(seen.worst_contact, 0);
        assert_true(seen.momentum == 0.0);
        /* Fischer-Burmeister vanishes where the law holds, and only there */
        assert_true(hand->error == 0.0 ? seen.fischer_burmeister <= 1e-15 : seen.fischer_burmeister > 1e-3);
        problem_free(&one);
    }
}

/* Closed forms of the Fischer-Burmeister value: x + y - sqrt(x o x + y o y) of the hatted variables. */
static void test_fischer_burmeister(void **state)
{
    (void)state;
    cst_residual seen;
    /* both along the axis: the scalar function of (mu r_N, u_N) = (1, -3/4) */
    double w[3] = {-2.75, 0, 0}, r[3] = {2, 0, 0};
    owned_problem one = one_contact(3, 1.0, w, 0.5);
    cst_friction_residual(&one.problem, r, 1.0, &seen);
    assert_true(fabs(seen.fischer_burmeister - fabs(1.0 - 0.75 - 1.25)) <= 1e-15);
    /* mu = 0: the scalar function of (r_N, u_N) */
    one.mu[0] = 0.0;
    one.free_velocity[0] = -3.5;
    cst_friction_residual(&one.problem, r, 1.0, &seen);
    assert_true(fabs(seen.fischer_burmeister - fabs(2.0 - 1.5 - 2.5)) <= 1e-15);
    problem_free(&one);
    /* x = (1, 0.5), y = 0: x o x = (1.25, 1), its root is (1, 0.5) itself inside the cone; outside, x = (0.5, 1): the root is
     * (1, 0.5), so f = (-0.5, 0.5) */
    double w2[2] = {-1, -1}, r2[2] = {1, 1};
    owned_problem flat = one_contact(2, 1.0, w2, 0.5);
    cst_friction_residual(&flat.problem, r2, 1.0, &seen);
    assert_true(fabs(seen.fischer_burmeister - sqrt(0.5)) <= 1e-15);
    problem_free(&flat);
}

/* E(0) = 1 as soon as something approaches, whatever else moves. */
static void test_zero_scores_one(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 17, 0);
    for (int trial = 0; trial < 200; trial++) {
        const int dim = 2 + trial % 2, n = 1 + cst_rng_integer(&rng, 6);
        const double size = cst_rng_log_range(&rng, 1e-8, 1e8);
        owned_problem some = problem_new(dim, n, n);
        double approach = 0.0;
        for (int i = 0; i < n; i++) {
            some.row_start[i + 1] = i + 1;
            some.column[i] = i;
            some.mu[i] = cst_rng_uniform(&rng);
            for (int k = 0; k < dim; k++) {
                some.block[(i * dim + k) * dim + k] = 1.0;
                some.free_velocity[i * dim + k] = size * cst_rng_normal(&rng);
            }
            if (i == 0)
                some.free_velocity[0] = -size;
            if (i == 1) /* a contact that leaves fast must not excuse the others */
                some.free_velocity[dim] = 1e5 * size;
            approach = fmax(approach, -some.free_velocity[i * dim]);
        }
        double r[18] = {0};
        cst_residual seen = residual_of(&some.problem, r);
        assert_true(fabs(seen.error - 1.0) <= 1e-15);
        assert_true(seen.velocity_scale == approach);
        assert_true(some.free_velocity[seen.worst_contact * dim] == -approach);
        assert_true(fabs(seen.penetration - 1.0) <= 1e-15);
        problem_free(&some);
    }
    /* nothing approaches: zero is the answer */
    double w[3] = {0.0, 3.0, 4.0}, r[3] = {0};
    owned_problem open = one_contact(3, 1.0, w, 0.5);
    cst_residual seen = residual_of(&open.problem, r);
    assert_true(seen.error == 0.0 && seen.fischer_burmeister == 0.0);
    assert_true(fabs(seen.velocity_scale - 5e-6) <= 1e-20);
    /* an approach below a millionth of the largest velocity is not blown up */
    open.free_velocity[0] = -1e-9;
    seen = residual_of(&open.problem, r);
    assert_true(fabs(seen.error - 1e-9 / 5e-6) <= 1e-15);
    /* nothing moves */
    memset(open.free_velocity, 0, 3 * sizeof(double));
    seen = residual_of(&open.problem, r);
    assert_true(seen.error == 0.0 && seen.velocity_scale == 1.0);
    /* a bilateral contact counts with its whole velocity, also when it separates */
    open.law[0] = CST_LAW_BILATERAL;
    memcpy(open.free_velocity, (double[3]){2.0, 3.0, 6.0}, 3 * sizeof(double));
    seen = residual_of(&open.problem, r);
    assert_true(fabs(seen.error - 1.0) <= 1e-15 && fabs(seen.velocity_scale - 7.0) <= 1e-14);
    assert_true(fabs(cst_friction_largest_velocity(&open.problem) - 7.0) <= 1e-14);
    problem_free(&open);
    /* no contact at all */
    owned_problem none = problem_new(3, 0, 0);
    seen = residual_of(&none.problem, r);
    assert_true(seen.error == 0.0 && seen.worst_contact == -1);
    assert_true(cst_friction_largest_velocity(&none.problem) == 0.0);
    problem_free(&none);
}

static void test_bilateral(void **state)
{
    (void)state;
    double w[3] = {0.5, 0, 0}, r[3] = {-2, 7, -9};
    owned_problem pin = one_contact(3, 1.0, w, 0.0);
    pin.law[0] = CST_LAW_BILATERAL;
    pin.mu[0] = NAN; /* ignored */
    for (int k = 0; k < 3; k++)
        pin.free_velocity[k] = -r[k];
    cst_residual seen = residual_of(&pin.problem, r);
    assert_true(seen.error == 0.0 && seen.fischer_burmeister == 0.0 && seen.cone_violation == 0.0);
    pin.free_velocity[1] += 3.0;
    pin.free_velocity[2] += 4.0;
    cst_friction_residual(&pin.problem, r, 2.0, &seen);
    assert_true(fabs(seen.error - 2.5) <= 1e-15 && fabs(seen.fischer_burmeister - 2.5) <= 1e-15);
    problem_free(&pin);
}

/* Random coupled problem and random answer: nothing in the law, all branches of the formulas. */
static owned_problem random_problem(cst_rng *rng, int dim, int n, double *r)
{
    const int m = dim * n;
    double *W = new_doubles((size_t)m * (size_t)m), *w = new_doubles((size_t)m), *mu = new_doubles((size_t)n);
    uint8_t law[16] = {0};
    for (int k = 0; k < m * m; k++)
        W[k] = cst_rng_normal(rng);
    for (int k = 0; k < m; k++) {
        W[k * m + k] = 1.0 + fabs(W[k * m + k]);
        w[k] = cst_rng_normal(rng);
        r[k] = cst_rng_normal(rng);
    }
    for (int i = 0; i < n; i++) {
        mu[i] = cst_rng_uniform(rng) < 0.2 ? 0.0 : cst_rng_log_range(rng, 1e-3, 10.0);
        law[i] = cst_rng_uniform(rng) < 0.15 ? CST_LAW_BILATERAL : CST_LAW_COULOMB;
        if (cst_rng_uniform(rng) < 0.5) /* inside the cone more often than chance would have it */
            r[i * dim] = 3.0 * fabs(r[i * dim]);
        for (int j = 0; j < n; j++) /* some blocks are not there, and not symmetrically so */
            if (i != j && cst_rng_uniform(rng) < 0.3)
                for (int k = 0; k < dim * dim; k++)
                    W[(i * dim + k / dim) * m + j * dim + k % dim] = 0.0;
    }
    owned_problem owned = problem_from_dense(dim, n, W, w, mu, law);
    free(W);
    free(w);
    free(mu);
    return owned;
}

static void test_against_formulas(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 4, 0);
    double worst = 0.0;
    for (int trial = 0; trial < 5000; trial++) {
        const int dim = 2 + trial % 2, n = 1 + cst_rng_integer(&rng, 6);
        double r[18];
        owned_problem some = random_problem(&rng, dim, n, r);
        const cst_residual seen = residual_of(&some.problem, r);
        const verdict mine = judge(&some.problem, r, 0.0);
        assert_true(fabs(seen.velocity_scale - mine.V) <= 1e-14 * mine.V);
        const double off = fabs(seen.error - mine.alart_curnier) / mine.alart_curnier;
        worst = fmax(worst, off);
        assert_true(off <= 1e-12);
        assert_int_equal(seen.worst_contact, mine.worst);
        problem_free(&some);
    }
    print_message("5000 random answers: E differs by at most %.1e of itself\n", worst);
}

/* The natural map is a third opinion: zero together with E, and within the factor the geometry allows. */
static void test_natural_map_agrees(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    for (int trial = 0; trial < 3000; trial++) {
        const int dim = 2 + trial % 2;
        const double mu = cst_rng_uniform(&rng) < 0.2 ? 0.0 : cst_rng_log_range(&rng, 1e-3, 10.0);
        double r[3], u[3], w[3];
        draw_in_law(&rng, dim, mu, false, r, u);
        for (int k = 0; k < dim; k++)
            w[k] = u[k] - r[k];
        owned_problem one = one_contact(dim, 1.0, w, mu);
        cst_residual seen;
        cst_friction_residual(&one.problem, r, 1.0, &seen);
        assert_true(seen.error <= 1e-14 && judge(&one.problem, r, 1.0).natural <= 1e-14);
        assert_true(seen.fischer_burmeister <= 1e-14 * (1.0 + mu));
        /* and off the law both see it */
        r[cst_rng_integer(&rng, dim)] += 1e-3;
        cst_friction_residual(&one.problem, r, 1.0, &seen);
        assert_true(seen.error >= 1e-5 && judge(&one.problem, r, 1.0).natural >= 1e-5);
        problem_free(&one);
    }
}

/* (W, w, r) -> (s W, t w, r t / s) over 16 decades each. */
static void test_scale_invariance(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 6, 0);
    double worst = 0.0;
    for (int trial = 0; trial < 2000; trial++) {
        const int dim = 2 + trial % 2, n = 1 + cst_rng_integer(&rng, 5);
        const double s = cst_rng_log_range(&rng, 1e-8, 1e8), t = cst_rng_log_range(&rng, 1e-8, 1e8);
        double r[18];
        owned_problem some = random_problem(&rng, dim, n, r);
        const cst_residual before = residual_of(&some.problem, r);
        for (int64_t e = 0; e < some.row_start[n] * dim * dim; e++)
            some.block[e] *= s;
        for (int k = 0; k < dim * n; k++) {
            some.free_velocity[k] *= t;
            r[k] *= t / s;
        }
        const cst_residual after = residual_of(&some.problem, r);
        const double pairs[][2] = {{before.error, after.error},
                                   {before.fischer_burmeister, after.fischer_burmeister},
                                   {before.cone_violation, after.cone_violation},
                                   {before.penetration, after.penetration},
                                   {before.complementarity, after.complementarity}};
        for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
            const double off = fabs(pairs[k][0] - pairs[k][1]) / (1e-300 + fmax(1.0, pairs[k][0]));
            worst = fmax(worst, off);
            assert_true(off <= 1e-13);
        }
        problem_free(&some);
    }
    print_message("scaling by 16 decades changes the residual by at most %.1e\n", worst);
}

/* A NaN in any place, or an infinite impulse, shows as an error that no tolerance lets through. */
static void test_nan_never_looks_small(void **state)
{
    (void)state;
    static const double BAD[] = {NAN, INFINITY, -INFINITY};
    enum { N = 3 };
    for (int trial = 0; trial < 60; trial++) { /* all cases of the law, so that every branch meets the bad number */
        const int dim = 2 + trial % 2;
        known_problem known =
            known_unique(8 + (uint64_t)trial, (known_shape){.dim = dim, .contacts = N, .bilateral = 0.2, .natural_order = true});
        double *data[] = {known.r, known.owned.free_velocity, known.owned.block};
        const int size[] = {N * dim, N * dim, (int)known.owned.row_start[N] * dim * dim};
        for (size_t d = 0; d < 3; d++)
            for (int k = 0; k < size[d]; k++)
                for (size_t b = 0; b < (d == 0 ? 3 : 1); b++) {
                    const double kept = data[d][k];
                    data[d][k] = BAD[b];
                    cst_residual seen;
                    cst_friction_residual(&known.owned.problem, known.r, trial % 3 == 0 ? 1.0 : 0.0, &seen);
                    if (!(seen.error > 1e3))
                        fail_msg("trial %d, array %zu, entry %d = %g: E %g", trial, d, k, BAD[b], seen.error);
                    assert_false(isnan(seen.fischer_burmeister) || isnan(seen.penetration) || isnan(seen.complementarity) ||
                                 isnan(seen.cone_violation));
                    assert_in_range(seen.worst_contact, 0, N - 1);
                    data[d][k] = kept;
                }
        known_free(&known);
    }
}

/* W as given: u_0 takes W_01 and u_1 takes W_10, which differ here. */
static void test_asymmetric_W_as_given(void **state)
{
    (void)state;
    const double W[36] = {
        1,    0, 0, 0.5, 0, 0, /* u_N of 0 */
        0,    1, 0, 0,   0, 0, /**/
        0,    0, 1, 0,   0, 0, /**/
        -2,   0, 0, 1,   0, 0, /* u_N of 1 */
        0.25, 0, 0, 0,   1, 0, /* a block not symmetric in itself either */
        0,    0, 0, 0,   0, 1,
    };
    /* r = ((1, 0, 0), (2, 0.25, 0)), both sticking */
    const double r[6] = {1, 0, 0, 2, 0.25, 0}, w[6] = {-2, 0, 0, 0, -0.5, 0}, mu[2] = {0.5, 0.5};
    owned_problem pair = problem_from_dense(3, 2, W, w, mu, NULL);
    cst_residual seen = residual_of(&pair.problem, r);
    assert_true(seen.error == 0.0);
    /* with the transpose u_N of 0 would be -5, and there would be no mistaking it */
    pair.block[9] = -2.0;
    seen = residual_of(&pair.problem, r);
    assert_true(fabs(seen.error - 5.0 / 2.0) <= 1e-15);
    assert_int_equal(seen.worst_contact, 0);
    problem_free(&pair);
}

/* A node between two walls that approach each other at speed 1: u_N = r - r - 1 whatever the impulses r on both sides. However large
 * they are, the approach must not be lost in the rounding of r. */
static void test_cancellation_hides_nothing(void **state)
{
    (void)state;
    const double W[16] = {1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, -1, 0, 1}, w[4] = {-1, 0, -1, 0}, mu[2] = {0.3, 0.3};
    owned_problem trapped = problem_from_dense(2, 2, W, w, mu, NULL);
    for (int exponent = 0; exponent <= 60; exponent++) {
        const double size = ldexp(1.0, exponent), r[4] = {size, 0, size, 0};
        const cst_residual seen = residual_of(&trapped.problem, r);
        if (!(seen.error > 0.5))
            fail_msg("impulses of %g: E %g, and the truth is 1", size, seen.error);
    }
    problem_free(&trapped);
}

/* A contact without compliance takes the largest of the others; alone it takes 1. */
static void test_zero_compliance(void **state)
{
    (void)state;
    const double w[3] = {-1, 0, 0}, r[3] = {0, 0, 0.25};
    owned_problem rigid = one_contact(3, 0.0, w, 0.0);
    cst_residual seen = residual_of(&rigid.problem, r);
    assert_true(fabs(seen.error - sqrt(1.0 + 0.0625)) <= 1e-15);
    owned_problem other = one_contact(3, 8.0, w, 0.0);
    owned_problem both = problem_side_by_side(&rigid.problem, &other.problem);
    const double r2[6] = {0, 0, 0.25, 0.125, 0, 0};
    seen = residual_of(&both.problem, r2);
    assert_true(fabs(seen.error - sqrt(1.0 + 4.0)) <= 1e-15);
    problem_free(&both);
    problem_free(&other);
    problem_free(&rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),          cmocka_unit_test(test_fischer_burmeister),
        cmocka_unit_test(test_zero_scores_one),       cmocka_unit_test(test_bilateral),
        cmocka_unit_test(test_against_formulas),      cmocka_unit_test(test_natural_map_agrees),
        cmocka_unit_test(test_scale_invariance),      cmocka_unit_test(test_nan_never_looks_small),
        cmocka_unit_test(test_asymmetric_W_as_given), cmocka_unit_test(test_cancellation_hides_nothing),
        cmocka_unit_test(test_zero_compliance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
