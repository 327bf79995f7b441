/* Rigid bodies that hold each other up: card houses, arches and walls land from 0.1 mm and stand. Every step is solved to E <= 1e-8, few
 * factorisations are needed once they are at rest, and they fall where mu is too small. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "friction/scaled_cone.h"
#include "generate/stones.h"
#include "sanitized.h"

static const double DROP = 1e-4, TOLERANCE = 1e-8;

typedef struct outcome {
    int missed;
    double worst;      /* E */
    double fall;       /* of the stone that fell most, m */
    double iterations; /* a step, over the second half of the steps */
} outcome;

static double height(const cst_stones *stones)
{
    double sum = 0.0;
    for (int i = 0; i < stones->stones; i++)
        sum += stones->stone[i].x[2];
    return sum / stones->stones;
}

static outcome run(cst_stones *stones, int steps)
{
    outcome out = {0};
    cst_friction_options options = cst_friction_options_default();
    options.tolerance = TOLERANCE;
    double *v = calloc(6 * (size_t)stones->stones, sizeof *v);
    const double before = height(stones);
    for (int k = 0; k < steps; k++) {
        cst_body_problem problem;
        cst_friction_report report;
        double *r;
        assert_true(cst_stones_problem(stones, &problem, &r));
        cst_friction_solve_bodies(&problem, &options, r, NULL, v, &report);
        out.missed += report.status != CST_SOLVED;
        out.worst = fmax(out.worst, report.residual.error);
        if (k >= steps / 2)
            out.iterations += (double)report.iterations / (steps - steps / 2);
        cst_stones_advance(stones, &problem, v, r);
    }
    out.fall = before - height(stones);
    print_message("%s, %d steps: missed %d, E %.1e, %.2f iterations a step at last, down %.2g m\n", stones->name, steps,
                  out.missed, out.worst, out.iterations, out.fall);
    free(v);
    cst_stones_free(stones);
    return out;
}

static void assert_stands(cst_stones *stones, int steps, double iterations)
{
    assert_non_null(stones);
    const outcome out = run(stones, steps);
    assert_int_equal(out.missed, 0);
    assert_true(out.worst <= TOLERANCE);
    assert_true(out.fall < 0.01);
    assert_true(SANITIZED || out.iterations <= iterations); /* a short series holds little but the impact */
}

static void test_stand(void **state)
{
    (void)state;
    assert_stands(cst_box_stack(20, 0.5, 1.0, DROP), 200, 2.0);
    assert_stands(cst_stone_arch(25, 0.7, DROP), SERIES(400), 2.0);
    assert_stands(cst_stone_arch(101, 0.7, DROP), SANITIZED ? 10 : 60, 20.0);
    assert_stands(cst_card_house(4, 0.6, DROP), SERIES(200), 2.0);
    assert_stands(cst_card_house(5, 0.6, DROP), SERIES(200), 2.0);
    assert_stands(cst_brick_wall(6, 6, 0.6, DROP), 100, 2.0);
}

/* 155 cards. The first steps are the hard ones. */
static void test_large_house(void **state)
{
    (void)state;
    assert_stands(cst_card_house(10, 0.6, DROP), SANITIZED ? 4 : 30, 200.0);
}

static void test_arch_falls(void **state)
{
    (void)state;
    const outcome out = run(cst_stone_arch(25, 0.2, DROP), 150);
    assert_int_equal(out.missed, 0);
    assert_true(out.fall > 0.05);
}

/* W z = W^-1 s = lambda, W W^-1 = 1, (I + W^2) share = 1. */
static void test_scaling(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 5, 1);
    for (int trial = 0; trial < 300; trial++) {
        const int count = 1 + trial % 3;
        double z[3], s[3], W[9], inverse[9], share[9], lambda[3], c[3], product[3];
        for (int k = 0; k < 3; k++) {
            z[k] = cst_rng_normal(&rng);
            s[k] = cst_rng_normal(&rng);
            c[k] = cst_rng_normal(&rng);
        }
        z[0] = sqrt((count > 1 ? z[1] * z[1] : 0.0) + (count > 2 ? z[2] * z[2] : 0.0)) + cst_rng_log_range(&rng, 1e-6, 1.0);
        s[0] = sqrt((count > 1 ? s[1] * s[1] : 0.0) + (count > 2 ? s[2] * s[2] : 0.0)) + cst_rng_log_range(&rng, 1e-6, 1.0);
        cst_scaling(count, z, s, count, W, inverse, lambda);
        cst_scaling_share(count, count, W, share);
        for (int r = 0; r < count; r++) {
            double of_s = 0.0, scale = 0.0;
            for (int k = 0; k < count; k++) {
                of_s += inverse[r * count + k] * s[k];
                scale += fabs(inverse[r * count + k] * s[k]);
            }
            assert_true(fabs(of_s - lambda[r]) <= 1e-9 * scale);
        }
        cst_jordan_solve(count, lambda, c, product);
        double back[3];
        cst_jordan_product(count, lambda, product, back);
        for (int k = 0; k < count; k++)
            assert_true(fabs(back[k] - c[k]) <= 1e-6 * (1.0 + fabs(c[k])));
        for (int r = 0; r < count; r++)
            assert_true(share[r * count + r] > 0.0 && share[r * count + r] <= 1.0);
    }
}

/* A step of cst_cone_room ends on the boundary, and half of it inside. */
static void test_room(void **state)
{
    (void)state;
    cst_rng rng;
    int ended = 0;
    cst_rng_seed(&rng, 6, 1);
    for (int trial = 0; trial < 300; trial++) {
        double x[3], d[3];
        for (int k = 0; k < 3; k++) {
            x[k] = cst_rng_normal(&rng);
            d[k] = 3.0 * cst_rng_normal(&rng);
        }
        x[0] = hypot(x[1], x[2]) + cst_rng_log_range(&rng, 1e-3, 1.0);
        const double room = cst_cone_room(3, x, d);
        for (double share = 0.5; share < 1.2; share += 0.5) {
            const double step = share * (isfinite(room) ? room : 1e6);
            const double inside = x[0] + step * d[0] - hypot(x[1] + step * d[1], x[2] + step * d[2]);
            if (share < 1.0)
                assert_true(inside > 0.0);
            else if (isfinite(room))
                assert_true(fabs(inside) <= 1e-9 * (1.0 + step));
        }
        ended += isfinite(room);
    }
    assert_in_range(ended, 100, 299);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaling),     cmocka_unit_test(test_room),       cmocka_unit_test(test_stand),
        cmocka_unit_test(test_large_house), cmocka_unit_test(test_arch_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
