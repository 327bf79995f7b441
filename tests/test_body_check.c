/* What is refused as not being a body problem, and what is said about it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "friction/bodies.h"
#include "tests/body_problems.h"

static test_bodies *make(uint64_t seed, int kinds)
{
    return test_bodies_make(seed, &(test_bodies_options){.dim = 3, .kinds = kinds, .bodies = 5, .contacts = 14, .mu = 0.4});
}

typedef struct fault {
    const char *says;
    void (*make)(test_bodies *made);
} fault;

static cst_body *body_of(test_bodies *made, cst_body_kind kind)
{
    for (int at = 0; at < made->problem.bodies; at++)
        if (made->problem.body[at].kind == kind)
            return (cst_body *)(uintptr_t)(made->problem.body + at);
    fail_msg("no body of kind %d", (int)kind);
    return NULL;
}

static cst_contact_side *side_of(test_bodies *made)
{
    for (int i = 0; i < made->problem.contacts; i++)
        if (made->problem.side_b[i].body >= 0 && made->problem.side_b[i].dofs > 1)
            return (cst_contact_side *)(uintptr_t)(made->problem.side_b + i);
    return NULL;
}

static double *writable(const double *given)
{
    return (double *)(uintptr_t)given;
}

static int32_t *writable_index(const int32_t *given)
{
    return (int32_t *)(uintptr_t)given;
}

static void four_dimensions(test_bodies *made)
{
    made->problem.dim = 4;
}
static void negative_contacts(test_bodies *made)
{
    made->problem.contacts = -1;
}
static void no_sides(test_bodies *made)
{
    made->problem.side_b = NULL;
}
static void empty_body(test_bodies *made)
{
    body_of(made, CST_BODY_DENSE)->size = 0;
}
static void infinite_rhs(test_bodies *made)
{
    writable(body_of(made, CST_BODY_BAND)->rhs)[2] = INFINITY;
}
static void no_matrix(test_bodies *made)
{
    body_of(made, CST_BODY_DENSE)->matrix = NULL;
}
static void nan_dense(test_bodies *made)
{
    writable(body_of(made, CST_BODY_DENSE)->matrix)[0] = NAN;
}
static void nan_band(test_bodies *made)
{
    const cst_body *body = body_of(made, CST_BODY_BAND);
    writable(body->matrix)[body->size * (body->bandwidth + 1) - 1] = NAN;
}
static void negative_band(test_bodies *made)
{
    body_of(made, CST_BODY_BAND)->bandwidth = -1;
}
static void no_callback(test_bodies *made)
{
    body_of(made, CST_BODY_SOLVE)->solve = NULL;
}
static void unknown_kind(test_bodies *made)
{
    body_of(made, CST_BODY_DENSE)->kind = (cst_body_kind)9;
}
static void split_node(test_bodies *made)
{
    body_of(made, CST_BODY_NODAL)->size -= 1;
}
static void lost_diagonal(test_bodies *made)
{
    cst_body *body = body_of(made, CST_BODY_NODAL);
    writable_index(body->column)[0] = 1;
    writable_index(body->column)[1] = 2;
    writable_index(body->column)[2] = 4;
}
static void unsorted_columns(test_bodies *made)
{
    writable_index(body_of(made, CST_BODY_NODAL)->column)[1] = 0;
}
static void distant_column(test_bodies *made)
{
    writable_index(body_of(made, CST_BODY_NODAL)->column)[1] = 1000;
}
static void unknown_body(test_bodies *made)
{
    side_of(made)->body = made->problem.bodies;
}
static void distant_dof(test_bodies *made)
{
    writable_index(side_of(made)->dof)[side_of(made)->dofs - 1] = 1000;
}
static void unsorted_dofs(test_bodies *made)
{
    writable_index(side_of(made)->dof)[0] = side_of(made)->dof[1];
}
static void no_dofs(test_bodies *made)
{
    side_of(made)->dofs = 0;
}
static void nan_h(test_bodies *made)
{
    writable(side_of(made)->h)[0] = NAN;
}
static void negative_mu(test_bodies *made)
{
    writable(made->problem.mu)[3] = -0.1;
}
static void infinite_mu(test_bodies *made)
{
    writable(made->problem.mu)[3] = INFINITY;
}
static void nan_offset(test_bodies *made)
{
    writable(made->problem.velocity_offset)[1] = NAN;
}
static void unknown_law(test_bodies *made)
{
    made->problem.law = memset(CST_TAKE(&made->arena, uint8_t, 64), 7, 64);
}

static void test_bad_data_is_named(void **state)
{
    (void)state;
    const fault faults[] = {{"dim is 4", four_dimensions},
                            {"-1 contacts", negative_contacts},
                            {"array of them is missing", no_sides},
                            {"0 dofs", empty_body},
                            {"right-hand side", infinite_rhs},
                            {"no matrix", no_matrix},
                            {"not finite", nan_dense},
                            {"not finite", nan_band},
                            {"bandwidth -1", negative_band},
                            {"no solve function", no_callback},
                            {"unknown kind 9", unknown_kind},
                            {"not a number of nodes", split_node},
                            {"no diagonal block", lost_diagonal},
                            {"not increasing", unsorted_columns},
                            {"node 1000", distant_column},
                            {"there is no body", unknown_body},
                            {"dof 1000", distant_dof},
                            {"dofs are not increasing", unsorted_dofs},
                            {"touches no dof", no_dofs},
                            {"h is not finite", nan_h},
                            {"mu = -0.1", negative_mu},
                            {"mu = inf", infinite_mu},
                            {"offset is not finite", nan_offset},
                            {"unknown law 7", unknown_law}};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        test_bodies *made =
            test_bodies_make(1, &(test_bodies_options){.dim = 3, .kinds = TEST_ALL, .bodies = 9, .contacts = 12, .mu = 0.3});
        cst_friction_problem W;
        char message[256] = "";
        faults[k].make(made);
        assert_null(cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message));
        if (!strstr(message, faults[k].says))
            fail_msg("\"%s\" does not say \"%s\"", message, faults[k].says);
        test_bodies_free(made);
    }
}

static void test_indefinite_matrices_are_refused(void **state)
{
    (void)state;
    const int kinds[] = {TEST_DENSE, TEST_BAND, TEST_NODAL};
    for (int k = 0; k < 3; k++) {
        test_bodies *made = make(2, kinds[k]);
        const cst_body *body = made->problem.body + 1;
        const int place = kinds[k] == TEST_DENSE  ? 2 * body->size + 2
                          : kinds[k] == TEST_BAND ? 3 * (body->bandwidth + 1) - 1
                                                  : (int)body->row_start[0] + 8;
        cst_friction_problem W;
        char message[256] = "";
        writable(body->matrix)[place] = -1; /* entry (2, 2) */
        assert_null(cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message));
        assert_string_equal(message, "body 1: the matrix is not positive definite (dof 2)");
        test_bodies_free(made);
    }
}

static void test_failing_callbacks_are_reported(void **state)
{
    (void)state;
    for (int call = 1; call <= 8; call++) {
        test_bodies *made = make(6, TEST_SOLVE);
        cst_friction_problem W;
        char message[256] = "";
        made->solve_failing = call;
        assert_null(cst_friction_assemble(&made->problem, NULL, &W, message, sizeof message));
        assert_non_null(strstr(message, "its solve function failed"));
        test_bodies_free(made);
    }
}

static void test_large_nodal_bodies_are_not_factored(void **state)
{
    (void)state;
    enum { NODES = CST_NODAL_FACTOR_MAX / 3 + 1 };
    static int64_t row_start[NODES + 1];
    static int32_t column[NODES];
    static double block[9 * NODES], rhs[3 * NODES];
    for (int i = 0; i < NODES; i++) {
        row_start[i + 1] = i + 1;
        column[i] = i;
        block[9 * i] = block[9 * i + 4] = block[9 * i + 8] = 1;
    }
    const cst_body body = {
        .kind = CST_BODY_NODAL, .size = 3 * NODES, .matrix = block, .row_start = row_start, .column = column, .rhs = rhs};
    const cst_body_problem problem = {.dim = 3, .bodies = 1, .body = &body};
    cst_friction_problem W;
    char message[256] = "";
    assert_null(cst_friction_assemble(&problem, NULL, &W, message, sizeof message));
    assert_non_null(strstr(message, "too large to be factored"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_data_is_named),
        cmocka_unit_test(test_indefinite_matrices_are_refused),
        cmocka_unit_test(test_failing_callbacks_are_reported),
        cmocka_unit_test(test_large_nodal_bodies_are_not_factored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
