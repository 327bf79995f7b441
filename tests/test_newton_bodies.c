/* Newton in (v, r), the contacts eliminated, against Newton in r, the bodies eliminated; which of the two is chosen; and the
 * whole method without W. */
#include "friction/newton_system.h"
#include "friction/product.h"
#include "friction/proximal_newton.h"
#include "friction/residual.h"
#include "friction/rows.h"
#include "generate/family.h"
#include "tests/body_problems.h"
#include "tests/friction_fixture.h"

typedef struct packed_bodies {
    cst_arena arena;
    cst_bodies bodies;
    cst_system system;
} packed_bodies;

static packed_bodies *pack_bodies(const cst_body_problem *problem, double V)
{
    char message[256] = "";
    packed_bodies *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->system.threads = 1;
    cst_arena_begin(&p->arena, NULL);
    if (cst_bodies_factor(problem, CST_BODIES_WITH_NODAL, 1, &p->arena, &p->bodies, message, sizeof message) != CST_SOLVED ||
        cst_product_pack(&p->bodies, NULL, V, &p->arena, &p->system, NULL, message, sizeof message) != CST_SOLVED)
        fail_msg("%s", message);
    return p;
}

static void unpack_bodies(packed_bodies *p)
{
    cst_arena_end(&p->arena);
    free(p);
}

/* Bodies eliminated first, or contacts: one direction. */
static double compare_eliminations(packed_bodies *p, cst_rng *rng, cst_newton_function function, double proximal)
{
    const size_t size = (size_t)p->system.contacts * (size_t)p->system.dim;
    double *x = new_doubles(size), *y = new_doubles(size), worst = 0.0, longest = 1e-30;
    for (size_t k = 0; k < size; k++)
        x[k] = cst_rng_range(rng, k % (size_t)p->system.dim == 0 ? -0.4 : -1.0, 1.0);
    cst_system_multiply(&p->system, x, y);
    cst_newton reduced, unreduced;
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_BODIES, &reduced));
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_CONTACTS, &unreduced));
    assert_false(reduced.unreduced);
    assert_true(unreduced.unreduced && unreduced.flops > 0.0);
    const double least = cst_newton_bodies_least_flops(&p->arena, &p->system);
    assert_true(least > 0.0 && least <= unreduced.flops);
    const cst_newton_settings settings = {.function = function, .proximal = proximal, .centre = x};
    assert_true(cst_newton_direction(&reduced, &settings, x, y));
    assert_true(cst_newton_direction(&unreduced, &settings, x, y));
    for (size_t k = 0; k < size; k++) {
        longest = fmax(longest, fabs(reduced.direction[k]));
        worst = fmax(worst, fabs(reduced.direction[k] - unreduced.direction[k]));
    }
    free(x);
    free(y);
    return worst / longest;
}

static void test_eliminations_agree(void **state)
{
    (void)state;
    cst_rng rng;
    cst_rng_seed(&rng, 1, 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const test_bodies_options options = {.dim = 2 + (int)(seed % 2),
                                             .kinds = TEST_DENSE | TEST_BAND | (seed % 4 == 0 ? TEST_NODAL : 0),
                                             .bodies = 4,
                                             .contacts = 14,
                                             .mu = -1.0,
                                             .bilateral = 0.1,
                                             .same_body = seed % 3 == 0};
        test_bodies *made = test_bodies_make(seed, &options);
        packed_bodies *p = pack_bodies(&made->problem, 1.0);
        assert_true(cst_newton_bodies_apply(&p->system));
        for (int function = 0; function < 2; function++) {
            /* J is as singular as W where rho is small: the two directions differ by its condition times the accuracy wanted of
             * them */
            assert_true(compare_eliminations(p, &rng, (cst_newton_function)function, 0.1) < 1e-8);
            assert_true(compare_eliminations(p, &rng, (cst_newton_function)function, 1e-4) < 1e-6);
        }
        unpack_bodies(p);
        test_bodies_free(made);
    }
}

/* Bodies that all meet each other fill nothing in: the bound on the cost is near the cost. */
static void test_least_flops(void **state)
{
    (void)state;
    const test_bodies_options options = {.dim = 3, .kinds = TEST_DENSE, .bodies = 5, .contacts = 60, .mu = 0.3};
    test_bodies *made = test_bodies_make(3, &options);
    packed_bodies *p = pack_bodies(&made->problem, 1.0);
    cst_newton newton;
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_CONTACTS, &newton));
    const double least = cst_newton_bodies_least_flops(&p->arena, &p->system);
    if (!(least <= newton.flops && least > 0.2 * newton.flops))
        fail_msg("at least %g, found %g", least, newton.flops);
    unpack_bodies(p);
    test_bodies_free(made);
}

/* What is possible, and what is chosen: fewer unknowns. */
static void test_elimination_chosen(void **state)
{
    (void)state;
    const test_bodies_options solved = {.dim = 3, .kinds = TEST_SOLVE, .bodies = 3, .contacts = 8, .mu = 0.3};
    test_bodies *made = test_bodies_make(1, &solved);
    packed_bodies *p = pack_bodies(&made->problem, 1.0);
    cst_newton newton;
    assert_false(cst_newton_bodies_apply(&p->system));
    assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_CONTACTS, &newton));
    assert_false(newton.unreduced);
    unpack_bodies(p);
    test_bodies_free(made);

    static const struct {
        const char *family;
        double nu;
        bool unreduced;
    } CHOSEN[] = {{"rods-nu2", 5.0, true}, {"grains-nu2", 5.0, true}, {"boxes", 0.0, false}, {"rods", 0.0, false}};
    for (size_t k = 0; k < sizeof CHOSEN / sizeof CHOSEN[0]; k++) {
        cst_family_parameters parameters = cst_family_parameters_default();
        parameters.nu = CHOSEN[k].nu;
        cst_generated *generated = cst_family_find(CHOSEN[k].family)->make(1, &parameters, NULL);
        assert_non_null(generated);
        p = pack_bodies(&generated->problem, 1.0);
        assert_true(cst_newton_begin(&p->arena, &p->system, CST_NEWTON_ELIMINATE_FEWER, &newton));
        assert_true(newton.unreduced == CHOSEN[k].unreduced);
        unpack_bodies(p);
        cst_generated_free(generated);
    }
}

/* The whole method without W, on problems that choose to be solved so: judged from outside. */
static void test_unreduced_solves(void **state)
{
    (void)state;
    static const char *const FAMILIES[] = {"rods-nu2", "grains-nu2"};
    cst_family_parameters parameters = cst_family_parameters_default();
    parameters.contacts = 40;
    parameters.nu = 5.0;
    for (size_t k = 0; k < sizeof FAMILIES / sizeof FAMILIES[0]; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cst_generated *made = cst_family_find(FAMILIES[k])->make(seed, &parameters, NULL);
            assert_non_null(made);
            char message[256] = "";
            cst_friction_problem problem;
            cst_assembled *assembled = cst_friction_assemble(&made->problem, NULL, &problem, message, sizeof message);
            assert_non_null(assembled);
            double *x = new_doubles((size_t)problem.contacts * (size_t)problem.dim), *w = new_doubles((size_t)problem.contacts);
            const double V = cst_velocity_scale(problem.dim, problem.contacts, problem.free_velocity, problem.law);
            packed_bodies *p = pack_bodies(&made->problem, V);
            const cst_method_settings settings = {.tolerance = 1e-8, .max_iterations = 1000};
            const cst_method_result result = cst_proximal_newton(&p->system, &settings, &p->arena, x);
            cst_rows_compliance(&problem, w);
            for (int i = 0; i < problem.contacts * problem.dim; i++)
                x[i] /= sqrt(w[i / problem.dim]); /* from the system's units */
            const double error = judge(&problem, x, 0.0).alart_curnier;
            if (!result.converged || error > 1.01e-8)
                fail_msg("%s, seed %d: E %.1e, judged %.1e, after %d", FAMILIES[k], (int)seed, result.error, error,
                         result.iterations);
            unpack_bodies(p);
            free(x);
            free(w);
            cst_assembled_free(assembled);
            cst_generated_free(made);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eliminations_agree),
        cmocka_unit_test(test_least_flops),
        cmocka_unit_test(test_elimination_chosen),
        cmocka_unit_test(test_unreduced_solves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
