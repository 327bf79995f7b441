/* What the judge borrows and does not believe: factors, A^-1 H^T and solve functions that are wrong, one at a time. The judge's number
 * must be the one that it finds when it is lent nothing. */
#include "friction/body_audit.h"
#include "friction/body_residual.h"
#include "tests/body_problems.h"
#include "tests/friction_fixture.h"

enum { BODIES = 8, CONTACTS = 24 };

static test_bodies *make(uint64_t seed, int kinds)
{
    return test_bodies_make(
        seed,
        &(test_bodies_options){.dim = 3, .kinds = kinds, .bodies = BODIES, .contacts = CONTACTS, .mu = 0.4, .same_body = true});
}

typedef struct answer {
    double r[3 * CONTACTS], *v;
    cst_friction_report report;
} answer;

static answer solve(const test_bodies *made, cst_form form)
{
    answer out = {.v = new_doubles((size_t)made->dofs)};
    cst_friction_options options = cst_friction_options_default();
    options.form = form;
    options.tolerance = 1e-8;
    options.max_iterations = 2000; /* sabotaged problems are not solved; their E counts all the same */
    cst_friction_solve_bodies(&made->problem, &options, out.r, NULL, out.v, &out.report);
    return out;
}

/* The judge without a loan. */
static cst_residual judged_alone(const test_bodies *made, const answer *got)
{
    cst_residual out;
    assert_true(cst_body_residual(&made->problem, got->v, got->r, 0.0, NULL, &out));
    return out;
}

static void assert_same_error(const test_bodies *made, const answer *got)
{
    const cst_residual alone = judged_alone(made, got);
    const double told = got->report.residual.error;
    if (!(fabs(told - alone.error) <= 1e-9 + 1e-6 * alone.error))
        fail_msg("E %g, but without a loan %g", told, alone.error);
}

static const cst_form FORMS[] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT, CST_FORM_MIXED};

static void test_right_loans_are_used(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        for (uint64_t seed = 0; seed < 6; seed++) {
            double *factor[BODIES];
            test_bodies *made = make(seed, f == 2 ? TEST_ALL : TEST_REDUCED);
            test_bodies_lend(made, factor);
            answer got = solve(made, FORMS[f]);
            assert_int_equal(got.report.status, CST_SOLVED);
            assert_string_equal(got.report.message, "");
            assert_same_error(made, &got);
            free(got.v);
            test_bodies_free(made);
        }
}

/* One entry of one factor is off. The answer solves another problem, and the judge says so and names the body. */
static void test_wrong_factor(void **state)
{
    (void)state;
    int missed = 0;
    for (int f = 0; f < 3; f++)
        for (uint64_t seed = 0; seed < 12; seed++) {
            double *factor[BODIES];
            char name[32];
            cst_rng rng;
            test_bodies *made = make(seed, f == 2 ? TEST_ALL : TEST_DENSE | TEST_BAND);
            test_bodies_lend(made, factor);
            cst_rng_seed(&rng, seed, 9);
            int at = cst_rng_integer(&rng, BODIES);
            while (!factor[at])
                at = (at + 1) % BODIES;
            const cst_body *body = made->problem.body + at;
            const int row = cst_rng_integer(&rng, body->size); /* its diagonal */
            const int place = body->kind == CST_BODY_DENSE ? row * (row + 3) / 2 : row * (body->bandwidth + 1) + body->bandwidth;
            factor[at][place] *= seed % 2 ? 1.01 : 0.5;
            answer got = solve(made, FORMS[f]);
            snprintf(name, sizeof name, "body %d: ", at);
            assert_ptr_equal(strstr(got.report.message, name), got.report.message);
            assert_same_error(made, &got);
            missed += got.report.status == CST_TOLERANCE_MISSED;
            free(got.v);
            test_bodies_free(made);
        }
    assert_true(missed >= 24); /* a dof that no contact touches, directly or through others, changes nothing */
}

/* The factor of a body on which ties alone act is not checked: a wrong one must not make a wrong answer look right. Random ties that
 * contradict each other are left out. */
static void test_wrong_factor_of_ties(void **state)
{
    (void)state;
    enum { TIES = 4 };
    uint8_t law[TIES];
    int solved = 0, missed = 0;
    memset(law, CST_LAW_BILATERAL, sizeof law);
    for (int f = 0; f < 2; f++)
        for (uint64_t seed = 0; seed < 24; seed++) {
            double *factor[BODIES];
            test_bodies *made =
                test_bodies_make(seed, &(test_bodies_options){.dim = 3, .kinds = TEST_DENSE, .bodies = BODIES, .contacts = TIES});
            made->problem.law = law;
            test_bodies_lend(made, factor);
            answer right = solve(made, FORMS[f]);
            assert_same_error(made, &right);
            const int32_t a = made->problem.side_a[0].body, at = a >= 0 ? a : made->problem.side_b[0].body;
            factor[at][0] *= seed % 2 ? 1.01 : 0.5;
            answer wrong = solve(made, FORMS[f]);
            if (right.report.status == CST_SOLVED && !(judged_alone(made, &wrong).error <= 1e-8)) {
                assert_int_equal(wrong.report.status, CST_TOLERANCE_MISSED);
                assert_true(wrong.report.residual.error > 1e-8);
                missed++;
            }
            solved += right.report.status == CST_SOLVED;
            free(right.v);
            free(wrong.v);
            test_bodies_free(made);
        }
    print_message("ties: %d solved, %d of them missed with a wrong factor\n", solved, missed);
    assert_true(missed >= 12);
}

/* A factor that is wrong by a scale makes half solves and compliances that agree with it. */
static void test_scaled_factors(void **state)
{
    (void)state;
    for (int f = 0; f < 2; f++) {
        double *factor[BODIES];
        test_bodies *made = make(3, TEST_DENSE);
        test_bodies_lend(made, factor);
        for (int at = 0; at < BODIES; at++)
            for (int i = 0; i < made->problem.body[at].size; i++)
                for (int j = 0; j <= i; j++)
                    factor[at][i * (i + 1) / 2 + j] *= i == j ? 0.5 : 2.0;
        answer got = solve(made, FORMS[f]);
        assert_int_equal(got.report.status, CST_TOLERANCE_MISSED);
        assert_true(got.report.residual.error > 1e-2);
        assert_same_error(made, &got);
        free(got.v);
        test_bodies_free(made);
    }
}

/* A solve function that answers 0.999 of what it should, and one that never moves a dof: the first is corrected until A x = f, the
 * second cannot be. */
static void test_wrong_solve(void **state)
{
    (void)state;
    for (int f = 0; f < 3; f++)
        for (int blind = 0; blind < 2; blind++) {
            double *factor[BODIES];
            test_bodies *made = make(5, f == 2 ? TEST_SOLVE | TEST_NODAL : TEST_SOLVE);
            test_bodies_lend(made, factor);
            made->solve_factor = blind ? 0.0 : 0.999;
            made->blind_dof = blind ? 1 : 0;
            answer got = solve(made, FORMS[f]);
            made->solve_factor = 0.0;
            made->blind_dof = 0;
            assert_int_equal(got.report.status, CST_TOLERANCE_MISSED);
            if (blind)
                assert_true(isinf(got.report.residual.error));
            else
                assert_true(got.report.residual.momentum > 1e-4 && got.report.residual.momentum < 1e3);
            free(got.v);
            test_bodies_free(made);
        }
}

/* Without a function that multiplies, the judge has to believe `solve`. */
static void test_solve_alone_is_believed(void **state)
{
    (void)state;
    test_bodies *made = make(5, TEST_SOLVE);
    made->solve_factor = 0.999;
    answer got = solve(made, CST_FORM_PRODUCT);
    assert_int_equal(got.report.status, CST_SOLVED);
    free(got.v);
    test_bodies_free(made);
}

typedef struct halves_of {
    cst_arena arena;
    cst_bodies bodies;
    cst_halves halves;
    double w[CONTACTS];
} halves_of;

static void build(const test_bodies *made, halves_of *out)
{
    char message[256];
    cst_arena_begin(&out->arena, NULL);
    assert_int_equal(cst_bodies_factor(&made->problem, CST_BODIES_REDUCED, 1, &out->arena, &out->bodies, message, sizeof message),
                     CST_SOLVED);
    assert_int_equal(cst_halves_build(&out->bodies, NULL, 1, &out->arena, &out->halves, message, sizeof message), CST_SOLVED);
}

static void test_compliances(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++)
        for (int lent = 0; lent < 2; lent++) {
            double *factor[BODIES];
            halves_of h;
            test_bodies *made = make(seed, TEST_REDUCED);
            if (lent)
                test_bodies_lend(made, factor);
            build(made, &h);
            assert_true(cst_audit_halves(&h.bodies, &h.halves, NULL, 1, &h.arena, h.w));
            for (int i = 0; i < CONTACTS; i++) {
                double trace = 0.0;
                for (int c = 0; c < 3; c++)
                    trace += made->W[(3 * i + c) * 3 * CONTACTS + 3 * i + c] / 3.0;
                assert_true(fabs(h.w[i] - trace) <= 1e-10 * trace);
            }
            cst_arena_end(&h.arena);
            test_bodies_free(made);
        }
}

/* One number of Z or Y is off by a millionth, or one contact has those of another: the contacts of that body are not believed. */
static void test_wrong_halves(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++)
        for (int sabotage = 0; sabotage < 2; sabotage++) {
            double *factor[BODIES];
            halves_of h;
            cst_rng rng;
            test_bodies *made = make(seed, TEST_REDUCED);
            test_bodies_lend(made, factor);
            build(made, &h);
            cst_rng_seed(&rng, seed, 7);
            const int contact = cst_rng_integer(&rng, CONTACTS);
            cst_half *half = h.halves.half + 2 * contact;
            if (half->body < 0)
                half++;
            if (half->body >= 0) {
                double *z = half->z;
                for (int k = 0; k < half->length;
                     k++) /* of the first row: the largest entry, so that it is not of rounding size */
                    z = fabs(half->z[k]) > fabs(*z) ? half->z + k : z;
                if (sabotage)
                    for (int k = 0; k < 3 * half->length; k++)
                        half->z[k] *= 0.5;
                else
                    *z *= 1.0 + 1e-6;
                assert_true(cst_audit_halves(&h.bodies, &h.halves, NULL, 1, &h.arena, h.w));
                assert_true(isnan(h.w[contact]));
                for (int i = 0; i < CONTACTS; i++)
                    if (made->problem.side_a[i].body != half->body && made->problem.side_b[i].body != half->body)
                        assert_true(isfinite(h.w[i]));
                /* and a judge that is lent them uses none */
                char message[256];
                cst_nodes nodes;
                cst_body_judge lent, alone;
                assert_int_equal(cst_nodes_build(&made->problem, &h.arena, &nodes, message, sizeof message), CST_SOLVED);
                assert_int_equal(cst_body_judge_begin(&h.bodies, &nodes, h.w, 0.0, 0.0, &h.arena, &lent, message, sizeof message),
                                 CST_SOLVED);
                assert_int_equal(
                    cst_body_judge_begin(&h.bodies, &nodes, NULL, 0.0, 0.0, &h.arena, &alone, message, sizeof message),
                    CST_SOLVED);
                assert_ptr_equal(lent.bodies, &lent.own);
                for (int i = 0; i < CONTACTS; i++)
                    assert_true(fabs(lent.w[i] - alone.w[i]) <= 1e-12 * alone.w[i]);
            }
            cst_arena_end(&h.arena);
            test_bodies_free(made);
        }
}

/* Nothing is solved twice: per body the free motion and the answer's, per contact and side A^-1 H^T. The judge multiplies three times
 * per body: the free motion, the sum of A^-1 H^T, the answer. */
static void test_nothing_is_solved_twice(void **state)
{
    (void)state;
    double *factor[BODIES];
    test_bodies *made = make(11, TEST_SOLVE);
    test_bodies_lend(made, factor);
    int sides = 0;
    for (int i = 0; i < CONTACTS; i++) {
        const int32_t a = made->problem.side_a[i].body, b = made->problem.side_b[i].body;
        sides += (a >= 0) + (b >= 0 && b != a);
    }
    answer got = solve(made, CST_FORM_PRODUCT);
    assert_int_equal(got.report.status, CST_SOLVED);
    assert_int_equal(made->solve_calls, 2 * BODIES + 3 * sides);
    assert_int_equal(made->defect_calls, 3 * BODIES);
    free(got.v);
    test_bodies_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right_loans_are_used),
                                       cmocka_unit_test(test_wrong_factor),
                                       cmocka_unit_test(test_wrong_factor_of_ties),
                                       cmocka_unit_test(test_scaled_factors),
                                       cmocka_unit_test(test_wrong_solve),
                                       cmocka_unit_test(test_solve_alone_is_believed),
                                       cmocka_unit_test(test_compliances),
                                       cmocka_unit_test(test_wrong_halves),
                                       cmocka_unit_test(test_nothing_is_solved_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
