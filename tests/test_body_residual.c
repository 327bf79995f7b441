/* The judge of (v, r): what it shares with the explicit one, the momentum defect by hand, and what it must not be fooled by. */
#include "tests/body_problems.h"
#include "tests/friction_fixture.h"

static test_bodies *make(uint64_t seed, int kinds, int contacts)
{
    return test_bodies_make(
        seed, &(test_bodies_options){
                  .dim = 3, .kinds = kinds, .bodies = 6, .contacts = contacts, .mu = 0.4, .bilateral = 0.15, .same_body = true});
}

/* v = A^-1 (rhs + H^T r) */
static void motion(const test_bodies *made, const double *r, double *v)
{
    for (int at = 0; at < made->problem.bodies; at++)
        memcpy(v + made->offset[at], made->problem.body[at].rhs, sizeof(double) * (size_t)made->problem.body[at].size);
    for (int i = 0; i < 3 * made->problem.contacts; i++)
        for (int k = 0; k < made->dofs; k++)
            v[k] += made->H[i * made->dofs + k] * r[i];
    test_dense_solve(made->dofs, made->A, 1, v);
}

static void some_impulses(uint64_t seed, int contacts, double *r)
{
    cst_rng rng;
    cst_rng_seed(&rng, seed, 3);
    for (int k = 0; k < 3 * contacts; k++)
        r[k] = k / 3 % 4 == 0 ? 0 : (k % 3 == 0 ? fabs(cst_rng_normal(&rng)) : 0.5 * cst_rng_normal(&rng));
}

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
        fail_msg("%.15g, not %.15g", a, b);
}

static void test_reduced_bodies_are_judged_as_explicit(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        test_bodies *made = make(seed, TEST_REDUCED, 12);
        owned_problem W = problem_from_dense(3, 12, made->W, made->w, made->problem.mu, made->problem.law);
        double r[36], *v = new_doubles((size_t)made->dofs);
        cst_residual body, with_W;
        some_impulses(seed, 12, r);
        motion(made, r, v);
        for (int given = 0; given < 2; given++) {
            const double scale = given * 2.5; /* 0: V of the problem */
            assert_true(cst_body_residual(&made->problem, v, r, scale, NULL, &body));
            cst_friction_residual(&W.problem, r, scale, &with_W);
            assert_close(body.error, with_W.error);
            assert_close(body.fischer_burmeister, with_W.fischer_burmeister);
            assert_close(body.cone_violation, with_W.cone_violation);
            assert_close(body.penetration, with_W.penetration);
            assert_close(body.complementarity, with_W.complementarity);
            assert_close(body.velocity_scale, with_W.velocity_scale);
            assert_int_equal(body.worst_contact, with_W.worst_contact);
            assert_true(body.momentum < 1e-10);
        }
        free(v);
        problem_free(&W);
        test_bodies_free(made);
    }
}

static void test_no_impulse_scores_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        test_bodies *made =
            test_bodies_make(seed, &(test_bodies_options){.dim = 3, .kinds = TEST_ALL, .bodies = 6, .contacts = 15, .mu = 0.4});
        double r[45] = {0}, *v = new_doubles((size_t)made->dofs);
        cst_residual residual;
        motion(made, r, v);
        assert_true(cst_body_residual(&made->problem, v, r, 0, NULL, &residual));
        assert_true(fabs(residual.error - 1) < 1e-6); /* V of nodal bodies is from an iterative solution */
        assert_true(residual.momentum < 1e-9);
        free(v);
        test_bodies_free(made);
    }
}

/* A wrong velocity is a momentum defect, whatever the kind of body: for nodal ones |A_jj^-1 (A dv)_j|, for others what
 * contacts see. */
static void test_wrong_velocities_are_seen(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        const int kinds = seed % 2 == 0 ? TEST_NODAL : TEST_REDUCED;
        test_bodies *made = make(seed, kinds, 12);
        const int dofs = made->dofs;
        double r[36], *v = new_doubles((size_t)dofs), *dv = new_doubles((size_t)dofs), expected = 0;
        cst_residual residual;
        cst_rng rng;
        cst_rng_seed(&rng, seed, 4);
        some_impulses(seed, 12, r);
        motion(made, r, v);
        for (int k = 0; k < dofs; k++) {
            dv[k] = 0.1 * cst_rng_normal(&rng);
            v[k] += dv[k];
        }
        if (kinds == TEST_NODAL) {
            for (int j = 0; j < dofs; j += 3) {
                double block[9], force[3] = {0}, size = 0;
                for (int e = 0; e < 9; e++)
                    block[e] = made->A[(j + e / 3) * dofs + j + e % 3];
                for (int e = 0; e < 3; e++)
                    for (int k = 0; k < dofs; k++)
                        force[e] += made->A[(j + e) * dofs + k] * dv[k];
                test_dense_solve(3, block, 1, force);
                for (int e = 0; e < 3; e++)
                    size += force[e] * force[e];
                expected = fmax(expected, sqrt(size));
            }
        } else {
            for (int i = 0; i < 12; i++) {
                double size = 0;
                for (int e = 0; e < 3; e++) {
                    double seen = 0;
                    for (int k = 0; k < dofs; k++)
                        seen += made->H[(3 * i + e) * dofs + k] * dv[k];
                    size += seen * seen;
                }
                expected = fmax(expected, sqrt(size));
            }
        }
        assert_true(cst_body_residual(&made->problem, v, r, 2, NULL, &residual));
        assert_close(residual.momentum, expected / 2);
        assert_true(residual.error >= residual.momentum);
        free(v);
        free(dv);
        test_bodies_free(made);
    }
}

/* w of a contact: a node of mass 2 against one of mass 4, with weights: 1/2 + (0.25/4 + 0.25/4). */
static void test_compliance_by_hand(void **state)
{
    (void)state;
    const double matrix[27] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 4, 0, 0, 0, 4, 0, 0, 0, 4, 4, 0, 0, 0, 4, 0, 0, 0, 4}, rhs[9] = {0};
    const int64_t row_start[] = {0, 1, 2, 3};
    const int32_t column[] = {0, 1, 2}, first[] = {0, 1, 2}, last[] = {3, 4, 5, 6, 7, 8};
    const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double halves[18] = {-0.5, 0, 0, -0.5, 0, 0, 0, -0.5, 0, 0, -0.5, 0, 0, 0, -0.5, 0, 0, -0.5};
    const cst_body body = {
        .kind = CST_BODY_NODAL, .size = 9, .matrix = matrix, .row_start = row_start, .column = column, .rhs = rhs};
    const cst_contact_side a = {0, 3, first, one}, b = {0, 6, last, halves};
    const double offset[3] = {-1, 0, 0}, mu = 0.5, w = 0.5 + 0.125;
    const cst_body_problem problem = {
        .dim = 3, .bodies = 1, .body = &body, .contacts = 1, .side_a = &a, .side_b = &b, .velocity_offset = offset, .mu = &mu};
    const double r[3] = {1 / w, 0, 0}, v[9] = {0.5 / w, 0, 0, -0.125 / w, 0, 0, -0.125 / w, 0, 0};
    cst_residual residual;
    assert_true(cst_body_residual(&problem, v, r, 0, NULL, &residual));
    assert_true(residual.error < 1e-14 && residual.momentum < 1e-14 && residual.velocity_scale == 1);
    /* half the impulse: u' = -1/2 remains */
    const double half_r[3] = {0.5 / w, 0, 0}, half_v[9] = {0.25 / w, 0, 0, -0.0625 / w, 0, 0, -0.0625 / w, 0, 0};
    assert_true(cst_body_residual(&problem, half_v, half_r, 0, NULL, &residual));
    assert_true(fabs(residual.error - 0.5) < 1e-14 && fabs(residual.penetration - 0.5) < 1e-14);
    /* the velocity that the law wants, with the impulse that does not make it: the contact is content, momentum is not */
    assert_true(cst_body_residual(&problem, v, half_r, 0, NULL, &residual));
    assert_true(residual.penetration < 1e-14);
    assert_true(fabs(residual.momentum - 0.25 / w) < 1e-14 && fabs(residual.error - residual.momentum) < 1e-14);
}

static void test_not_a_number_is_the_worst(void **state)
{
    (void)state;
    for (int kinds = TEST_DENSE; kinds <= TEST_NODAL; kinds *= 2) {
        test_bodies *made = make(1, kinds, 12);
        double r[36], *v = new_doubles((size_t)made->dofs);
        cst_residual residual;
        some_impulses(1, 12, r);
        motion(made, r, v);
        r[4] = NAN;
        assert_true(cst_body_residual(&made->problem, v, r, 0, NULL, &residual));
        assert_true(residual.error == INFINITY);
        r[4] = 0;
        v[made->problem.body[0].size - 1] = NAN;
        assert_true(cst_body_residual(&made->problem, v, r, 0, NULL, &residual));
        assert_true(residual.error == INFINITY); /* even of a dof that no contact touches */
        free(v);
        test_bodies_free(made);
    }
}

static void test_failures_are_said(void **state)
{
    (void)state;
    test_bodies *made = make(6, TEST_SOLVE, 12);
    double r[36] = {0}, *v = new_doubles((size_t)made->dofs);
    cst_residual residual;
    assert_true(cst_body_residual(&made->problem, v, r, 0, NULL, &residual));
    const int calls = made->solve_calls;
    for (int call = 1; call <= calls; call++) {
        made->solve_calls = 0;
        made->solve_failing = call;
        assert_false(cst_body_residual(&made->problem, v, r, 0, NULL, &residual));
    }
    free(v);
    test_bodies_free(made);
}

typedef struct rationed {
    int allowed, taken;
} rationed;

static void *rationed_acquire(void *user, size_t bytes)
{
    rationed *left = user;
    return left->taken++ < left->allowed ? malloc(bytes) : NULL;
}

static void rationed_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void test_every_allocation_failed_in_turn(void **state)
{
    (void)state;
    test_bodies *made =
        test_bodies_make(7, &(test_bodies_options){.dim = 3, .kinds = TEST_ALL, .bodies = 60, .contacts = 40, .mu = 0.4});
    double r[120] = {0}, *v = new_doubles((size_t)made->dofs);
    cst_residual residual;
    bool finished = false;
    int tried = 0;
    for (; !finished; tried++) {
        rationed left = {.allowed = tried};
        const cst_allocator allocator = {rationed_acquire, rationed_release, &left};
        finished = cst_body_residual(&made->problem, v, r, 0, &allocator, &residual);
    }
    assert_true(tried > 2);
    free(v);
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduced_bodies_are_judged_as_explicit),
        cmocka_unit_test(test_no_impulse_scores_one),
        cmocka_unit_test(test_wrong_velocities_are_seen),
        cmocka_unit_test(test_compliance_by_hand),
        cmocka_unit_test(test_not_a_number_is_the_worst),
        cmocka_unit_test(test_failures_are_said),
        cmocka_unit_test(test_every_allocation_failed_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
