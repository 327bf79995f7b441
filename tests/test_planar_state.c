/* States of planar contacts: guessed right at the answer and next to it, and what auto makes of them. */
#include "friction/planar_state.h"

#include "friction_fixture.h"
#include "generate/family.h"

typedef struct one {
    double A[4], b[2], mu;
    double x[2], y[2]; /* in the law */
    cst_local_case state;
} one;

/* A random contact and its exact solution. */
static one random_contact(cst_rng *rng)
{
    one c = {.mu = cst_rng_range(rng, 0.05, 1.5)};
    const double coupling = cst_rng_range(rng, -0.6, 0.6);
    c.A[0] = cst_rng_range(rng, 0.8, 1.2);
    c.A[3] = 2.0 - c.A[0];
    c.A[1] = c.A[2] = coupling;
    c.b[0] = cst_rng_range(rng, -1.0, 0.5);
    c.b[1] = cst_rng_range(rng, -1.0, 1.0);
    const cst_local_result result = cst_local_solve(CST_LOCAL_DIRECT, 2, c.A, c.b, c.mu, 0.0, c.x);
    assert_int_equal(result.status, CST_LOCAL_SOLVED);
    c.state = result.contact_case;
    for (int k = 0; k < 2; k++)
        c.y[k] = c.b[k] + c.A[2 * k] * c.x[0] + c.A[2 * k + 1] * c.x[1];
    return c;
}

/* 0 open, 1 stick, 2 slide, by which rows of f_u there are. */
static int state_of(const double *f_u)
{
    return f_u[0] == 0.0 ? CST_CASE_TAKE_OFF : f_u[3] != 0.0 ? CST_CASE_STICK : CST_CASE_SLIDE;
}

/* At the answer f vanishes and the state is the answer's; from any other x with the same neighbours the state is still that one
 * unless eta matters, and the linear law of the state leads to the answer in one step. */
static void test_state_of_the_answer(void **state)
{
    (void)state;
    enum { CONTACTS = 20000 };
    cst_rng rng;
    cst_rng_seed(&rng, 5, 0);
    int seen[3] = {0}, kept = 0;
    for (int i = 0; i < CONTACTS; i++) {
        const one c = random_contact(&rng);
        double f[2], f_r[4], f_u[4];
        cst_planar_state(c.A, c.mu, c.x, c.y, f, f_r, f_u);
        assert_true(fabs(f[0]) <= 1e-13 && fabs(f[1]) <= 1e-13);
        assert_int_equal(state_of(f_u), c.state);
        seen[c.state]++;

        double x[2], y[2];
        for (int k = 0; k < 2; k++)
            x[k] = c.x[k] + cst_rng_range(&rng, -0.3, 0.3);
        for (int k = 0; k < 2; k++)
            y[k] = c.b[k] + c.A[2 * k] * x[0] + c.A[2 * k + 1] * x[1];
        cst_planar_state(c.A, c.mu, x, y, f, f_r, f_u);
        /* (f_u A + f_r) d = -f */
        double J[4];
        for (int r = 0; r < 2; r++)
            for (int k = 0; k < 2; k++)
                J[2 * r + k] = f_r[2 * r + k] + f_u[2 * r] * c.A[k] + f_u[2 * r + 1] * c.A[2 + k];
        const double det = J[0] * J[3] - J[1] * J[2];
        if (state_of(f_u) != (int)c.state || fabs(det) < 1e-3)
            continue;
        const double d[2] = {-(J[3] * f[0] - J[1] * f[1]) / det, -(J[0] * f[1] - J[2] * f[0]) / det};
        if (fabs(x[0] + d[0] - c.x[0]) <= 1e-10 && fabs(x[1] + d[1] - c.x[1]) <= 1e-10)
            kept++;
    }
    assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
    assert_true(kept > CONTACTS * 9 / 10); /* the others: on the way to another state, or sliding the other way */
}

/* What the Alart-Curnier function has no eye for. */
static void test_contradictions(void **state)
{
    (void)state;
    static const double A[4] = {1.0, 0.0, 0.0, 1.0}, NOTHING[2] = {0.0, 0.0};
    double f[2], f_r[4], f_u[4];
    /* an open contact that approaches, with little sliding: sticks at once */
    cst_planar_state(A, 0.5, NOTHING, (double[]){-1.0, 0.2}, f, f_r, f_u);
    assert_int_equal(state_of(f_u), CST_CASE_STICK);
    /* with much of it: slides against its velocity at once */
    cst_planar_state(A, 0.5, NOTHING, (double[]){-1.0, 2.0}, f, f_r, f_u);
    assert_int_equal(state_of(f_u), CST_CASE_SLIDE);
    assert_true(f_r[2] == -0.5);
    /* a sliding contact whose velocity turned a little: sticks */
    cst_planar_state(A, 0.5, (double[]){1.0, 0.5}, (double[]){0.0, 0.3}, f, f_r, f_u);
    assert_int_equal(state_of(f_u), CST_CASE_STICK);
    /* one that pulls: opens */
    cst_planar_state(A, 0.5, (double[]){-1.0, 0.0}, (double[]){0.0, 0.0}, f, f_r, f_u);
    assert_int_equal(state_of(f_u), CST_CASE_TAKE_OFF);
    /* without friction there is no tangential impulse */
    cst_planar_state(A, 0.0, (double[]){1.0, 0.1}, (double[]){0.0, 0.3}, f, f_r, f_u);
    assert_true(f[1] == -0.1 && f_r[3] == -1.0 && f_r[2] == 0.0 && f_u[3] == 0.0);
}

/* Newton leads in the plane: cold starts take a dozen iterations where sweeps took a hundred, in both forms, and the answer is
 * judged from outside. From the answer there is nothing to do. */
static void test_auto_in_the_plane(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"arch", "cards", "discs"};
    static const cst_form FORMS[] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT};
    for (int n = 0; n < 3; n++)
        for (uint64_t seed = 1; seed <= 5; seed++)
            for (int k = 0; k < 2; k++) {
                cst_generated *made = cst_family_find(NAMES[n])->make(seed, NULL, NULL);
                assert_non_null(made);
                cst_friction_options options = cst_friction_options_default();
                options.tolerance = 1e-9;
                options.form = FORMS[k];
                double *r = calloc((size_t)made->problem.contacts * 2, sizeof *r);
                assert_non_null(r);
                cst_friction_report report;
                assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, r, NULL, NULL, &report), CST_SOLVED);
                assert_true(report.residual.error <= 1e-9);
                assert_true(report.newton_iterations > 0);
                if (report.iterations > 45)
                    fail_msg("%s, seed %d: %d iterations", NAMES[n], (int)seed, report.iterations);
                options.tolerance = 1e-8;
                assert_int_equal(cst_friction_solve_bodies(&made->problem, &options, r, NULL, NULL, &report), CST_SOLVED);
                assert_int_equal(report.iterations, 0);
                free(r);
                cst_generated_free(made);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_of_the_answer),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_auto_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
