/* Errors of single contacts and limited rounds of sweeps (friction/contact_errors.h), on a chain of balls (tests/pinched_chain.h). */
#include "friction/contact_errors.h"
#include "friction/rows.h"
#include "tests/friction_fixture.h"
#include "tests/pinched_chain.h"

typedef struct fixture {
    cst_pinched_chain chain;
    cst_friction_problem problem;
    cst_assembled *assembled;
    cst_arena arena;
    cst_system system;
    cst_contact_errors errors;
    double *r, *x; /* solution, scaled solution */
    double V;
} fixture;

static void begin(fixture *f, int balls, double tolerance)
{
    char message[256] = "";
    f->chain = cst_pinched_chain_new(balls);
    f->assembled = cst_friction_assemble(&f->chain.problem, NULL, &f->problem, message, sizeof message);
    assert_non_null(f->assembled);
    const size_t size = 3 * (size_t)f->problem.contacts;
    f->r = new_doubles(size);
    f->x = new_doubles(size);
    const cst_friction_report report = cst_pinched_chain_solve(&f->chain, CST_FORM_EXPLICIT, tolerance, 1, f->r);
    assert_int_equal(report.status, CST_SOLVED);
    f->V = report.residual.velocity_scale;
    cst_arena_begin(&f->arena, NULL);
    f->system = (cst_system){.threads = 1};
    assert_true(cst_rows_pack(&f->problem, NULL, f->V, &f->arena, &f->system));
    for (size_t k = 0; k < size; k++)
        f->x[k] = f->r[k] * f->system.weight[k / 3] * f->V;
    assert_true(cst_contact_errors_begin(&f->system, false, &f->arena, &f->errors));
}

static void end(fixture *f)
{
    cst_arena_end(&f->arena);
    free(f->r);
    free(f->x);
    cst_assembled_free(f->assembled);
    cst_pinched_chain_free(&f->chain);
}

static bool coupled(const fixture *f, int a, int b)
{
    for (int64_t e = f->problem.row_start[a]; e < f->problem.row_start[a + 1]; e++)
        if (f->problem.column[e] == b)
            return true;
    return false;
}

/* After a few impulses have changed, an update gives the bits of all velocities and errors computed anew. */
static void test_update(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 200, 1e-8);
    const int n = f.problem.contacts;
    const int32_t changed[] = {3, 40, 41, n - 1};
    cst_contact_errors anew;
    const double before = cst_contact_errors_find(&f.errors, f.x);
    for (int k = 0; k < 4; k++)
        f.x[3 * changed[k]] *= 1.5 + 0.1 * k;
    const double largest = cst_contact_errors_update(&f.errors, f.x, changed, 4);
    assert_true(cst_contact_errors_begin(&f.system, false, &f.arena, &anew));
    assert_true(largest == cst_contact_errors_find(&anew, f.x) && largest > 100 * before);
    assert_true(largest == cst_system_error(&f.system, f.x, anew.y, false));
    assert_memory_equal(f.errors.y, anew.y, 3 * (size_t)n * sizeof *anew.y);
    assert_memory_equal(f.errors.error, anew.error, (size_t)n * sizeof *anew.error);
    end(&f);
}

static void test_above(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 100, 1e-8);
    const int n = f.problem.contacts;
    int32_t *list = malloc((size_t)n * sizeof *list), *odd = malloc((size_t)n * sizeof *odd);
    assert_true(list && odd);
    f.x[3 * 40] *= 1.2;
    f.x[3 * 70] *= 1.2;
    cst_contact_errors_find(&f.errors, f.x);
    const double least = 1e-6;
    for (int round = 0; round < 2; round++) { /* twice: no mark is left */
        const int count = cst_contact_errors_above(&f.errors, least, NULL, 0, n, list);
        assert_true(count > 2 && count < n / 4);
        for (int i = 0, k = 0; i < n; i++) {
            bool wanted = f.errors.error[i] > least;
            for (int j = 0; j < n && !wanted; j++)
                wanted = f.errors.error[j] > least && coupled(&f, i, j);
            assert_int_equal(k < count && list[k] == i, wanted);
            k += wanted;
        }
        list[0] = -7;
        assert_int_equal(cst_contact_errors_above(&f.errors, least, NULL, 0, count - 1, list), -1);
        assert_int_equal(list[0], -7); /* unchanged */
    }
    int odds = 0;
    for (int i = 1; i < n; i += 2)
        odd[odds++] = i;
    const int count = cst_contact_errors_above(&f.errors, least, odd, odds, n, odd);
    for (int k = 0; k < count; k++)
        assert_true(odd[k] % 2 == 1 && (k == 0 || odd[k] > odd[k - 1]));
    assert_int_equal(cst_contact_errors_above(&f.errors, HUGE_VAL, NULL, 0, n, list), 0);
    free(list);
    free(odd);
    end(&f);
}

/* A long chain whose guess is wrong in one place: after the first two sweeps over all contacts, most rounds visit only the contacts
 * near this place. */
static void test_limited_rounds(void **state)
{
    (void)state;
    static const cst_form forms[] = {CST_FORM_EXPLICIT, CST_FORM_PRODUCT};
    /* largest number of visits of a contact in an iteration; without limited rounds 0.97. In the product form, a limited round stalls,
     * and the next round visits all contacts */
    static const double visits[] = {0.1, 0.35};
    fixture f;
    begin(&f, 2000, 1e-9);
    const int n = f.problem.contacts;
    for (int k = 0; k < 2; k++) {
        double *r = new_doubles(3 * (size_t)n);
        memcpy(r, f.r, 3 * (size_t)n * sizeof *r);
        for (int i = 400; i < 430; i++)
            r[3 * i] *= 3.0;
        const cst_friction_report report = cst_pinched_chain_solve(&f.chain, forms[k], 1e-8, 1, r);
        assert_int_equal(report.status, CST_SOLVED);
        print_message("%s: %d iterations, %.2f visits of each contact\n", cst_form_name(forms[k]), report.iterations,
                      (double)report.local_solves / n);
        assert_true(report.residual.error <= 1e-8 && report.iterations > 2);
        assert_true((double)report.local_solves < visits[k] * report.iterations * n);
        free(r);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_update), cmocka_unit_test(test_above),
                                       cmocka_unit_test(test_limited_rounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
