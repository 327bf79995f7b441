/* Options that make no sense are refused by every public entry, with a message that names the field; nothing is solved with them. */
#include "friction/options.h"
#include "tests/body_problems.h"
#include "tests/friction_fixture.h"

#include "capstan/capstan.h"

typedef void (*spoiler)(cst_friction_options *options);

static void no_cookie(cst_friction_options *o)
{
    o->cookie = 0;
}
static void solver_out_of_range(cst_friction_options *o)
{
    o->solver = CST_SOLVER_COUNT;
}
static void solver_negative(cst_friction_options *o)
{
    const int value = -3;
    memcpy(&o->solver, &value, sizeof o->solver);
}
static void local_out_of_range(cst_friction_options *o)
{
    const int value = 1000000;
    memcpy(&o->local, &value, sizeof o->local);
}
static void form_out_of_range(cst_friction_options *o)
{
    o->form = CST_FORM_COUNT;
}
static void infinite_tolerance(cst_friction_options *o)
{
    o->tolerance = INFINITY;
}
static void nan_tolerance(cst_friction_options *o)
{
    o->tolerance = NAN;
}
static void negative_tolerance(cst_friction_options *o)
{
    o->tolerance = -1e-6;
}
static void negative_floor(cst_friction_options *o)
{
    o->velocity_floor = -1.0;
}

static void nan_scale(cst_friction_options *o)
{
    o->velocity_scale = NAN;
}
static void no_iterations(cst_friction_options *o)
{
    o->max_iterations = -1;
}
static void infinite_freeze(cst_friction_options *o)
{
    o->freeze = INFINITY;
}
static void negative_proximal(cst_friction_options *o)
{
    o->proximal = -1.0;
}
static void negative_anderson(cst_friction_options *o)
{
    o->anderson = -1;
}

static const struct {
    spoiler spoil;
    const char *says;
} bad[] = {
    {no_cookie, "cst_friction_options_default"},
    {solver_out_of_range, "solver"},
    {solver_negative, "solver"},
    {local_out_of_range, "local"},
    {form_out_of_range, "form"},
    {infinite_tolerance, "tolerance"},
    {nan_tolerance, "tolerance"},
    {negative_tolerance, "tolerance"},
    {nan_scale, "velocity_scale"},
    {negative_floor, "velocity_floor"},
    {no_iterations, "max_iterations"},
    {infinite_freeze, "freeze"},
    {negative_proximal, "proximal"},
    {negative_anderson, "anderson"},
};

static void solvers_refuse_them(void **state)
{
    (void)state;
    known_problem known = known_unique(1, (known_shape){.dim = 3, .contacts = 4});
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cst_friction_options options = cst_friction_options_default();
        bad[k].spoil(&options);
        double r[12] = {0}, zero[12] = {0};
        cst_friction_report report;
        assert_int_equal(cst_friction_solve(&known.owned.problem, &options, r, NULL, &report), CST_BAD_PROBLEM);
        assert_int_equal(report.status, CST_BAD_PROBLEM);
        if (!strstr(report.message, bad[k].says))
            fail_msg("\"%s\" does not name %s", report.message, bad[k].says);
        assert_memory_equal(r, zero, sizeof r);
        cst_body_problem none = {.dim = 3};
        assert_int_equal(cst_friction_solve_bodies(&none, &options, r, NULL, NULL, &report), CST_BAD_PROBLEM);
        assert_non_null(strstr(report.message, bad[k].says));
    }
    known_free(&known);
}

static void worlds_refuse_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cst_world_def def = cst_world_def_default(2);
        char message[256] = "";
        bad[k].spoil(&def.friction);
        assert_null(cst_world_new(&def, message, sizeof message));
        if (!strstr(message, bad[k].says) || !strstr(message, "friction."))
            fail_msg("\"%s\" does not name friction.%s", message, bad[k].says);
    }
    cst_world_def def = cst_world_def_default(3);
    char message[256] = "";
    def.time_step.iteration_tolerance = INFINITY;
    assert_null(cst_world_new(&def, message, sizeof message));
    assert_non_null(strstr(message, "iteration_tolerance"));
}

/* Names and the solver of one contact take any number. */
static void choices_are_looked_up_safely(void **state)
{
    (void)state;
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0};
    double r[3] = {5, 5, 5};
    const cst_local_result result = cst_local_solve((cst_local_solver)100000, 3, W, b, 0.5, 1e-9, r);
    assert_int_equal(result.status, CST_LOCAL_FAILED);
    assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    assert_string_equal(cst_solver_name((cst_solver)100000), "unknown");
    assert_string_equal(cst_form_name((cst_form)100000), "unknown");
    assert_string_equal(cst_status_name((cst_status)100000), "unknown");
    assert_string_equal(cst_local_solver_name((cst_local_solver)100000), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solvers_refuse_them), cmocka_unit_test(worlds_refuse_them),
                                       cmocka_unit_test(choices_are_looked_up_safely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
