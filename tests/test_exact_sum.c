/* Sums of products that cancel: the error is that of a double for the result, not for the terms. The momentum defect of a node of
 * a stiff sheet that moves fast is found to 1e-6 of itself, where a sum in double precision has no correct digit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "friction/nodes.h"
#include "math/exact_sum.h"
#include "math/small_matrix.h"

static void products_that_cancel(void **state)
{
    (void)state;
    cst_exact_sum sum = {0};
    const double a = 1.0 + ldexp(1.0, -30), b = 1.0 - ldexp(1.0, -30); /* a b = 1 - 2^-60 */
    cst_exact_add_product(&sum, a, b);
    cst_exact_add(&sum, -1.0);
    assert_true(cst_exact_value(&sum) == -ldexp(1.0, -60));
    assert_true(a * b - 1.0 == 0.0); /* in double precision */
    sum = (cst_exact_sum){0};
    cst_exact_add(&sum, 1e16);
    cst_exact_add(&sum, 1.0);
    cst_exact_add_product(&sum, -1e8, 1e8);
    assert_true(cst_exact_value(&sum) == 1.0);
}

enum { NODES = 5, BLOCKS = 2 * (NODES - 1) };

/* A chain of nodes: masses of 1e-4 kg, springs of 0.04 kg along a slanted direction, as in a sheet. The right-hand side is that of
 * a common velocity of 4 m/s, which the springs do not feel, plus an exactly known defect at each node. */
static void defect_of_a_stiff_chain(void **state)
{
    (void)state;
    static const double t[3] = {0.625, 0.5, 0.75}, mass = 0x1p-13, spring = 0x1.4p-5; /* products of t have few bits */
    int64_t row_start[NODES + 1] = {0};
    int32_t column[BLOCKS];
    double block[9 * BLOCKS], diagonal[9 * NODES] = {0}, rhs[3 * NODES], v[3 * NODES], impulse[3 * NODES] = {0};
    double known[3 * NODES];
    cst_rng rng;
    int blocks = 0;
    cst_rng_seed(&rng, 7, 0);
    for (int j = 0; j < NODES; ++j) {
        for (int k = j - 1; k <= j + 1; k += 2) {
            if (k < 0 || k >= NODES)
                continue;
            column[blocks] = k;
            for (int e = 0; e < 9; ++e) {
                block[9 * blocks + e] = -spring * t[e / 3] * t[e % 3];
                diagonal[9 * j + e] += spring * t[e / 3] * t[e % 3];
            }
            ++blocks;
        }
        row_start[j + 1] = blocks;
        for (int c = 0; c < 3; ++c)
            diagonal[9 * j + 4 * c] += mass;
    }
    /* velocities with 53 bits that are the same for all nodes: only the mass remains, exactly, in the row sums */
    for (int c = 0; c < 3; ++c) {
        const double speed = 4.0 * cst_rng_uniform(&rng);
        for (int j = 0; j < NODES; ++j) {
            v[3 * j + c] = speed;
            known[3 * j + c] = ldexp(1.0 + j, -70);
            rhs[3 * j + c] = mass * speed;
            impulse[3 * j + c] = known[3 * j + c];
        }
    }
    const cst_nodes nodes = {
        .dim = 3, .count = NODES, .row_start = row_start, .column = column, .block = block, .diagonal = diagonal, .rhs = rhs};
    double worst = 0.0, plain = 0.0;
    for (int j = 0; j < NODES; ++j) {
        double out[3], others[3], own[3];
        cst_nodes_defect(&nodes, j, v, impulse, out);
        cst_nodes_off_diagonal(&nodes, j, v, others);
        cst_small_apply(3, diagonal + 9 * j, v + 3 * j, own);
        for (int c = 0; c < 3; ++c) {
            const double in_double = rhs[3 * j + c] + impulse[3 * j + c] - others[c] - own[c];
            worst = fmax(worst, fabs(out[c] / known[3 * j + c] - 1.0));
            plain = fmax(plain, fabs(in_double / known[3 * j + c] - 1.0));
        }
    }
    assert_true(worst < 1e-6);
    assert_true(plain > 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_that_cancel), cmocka_unit_test(defect_of_a_stiff_chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
