/* Anderson acceleration (friction/anderson.h) of a linear contraction g(x) = B x + c, with a carried vector s = L x. */
#include "friction/anderson.h"
#include "tests/friction_fixture.h"

enum { CONTACTS = 20, SIZE = 3 * CONTACTS, CARRIED = 33, MEMORY = 5, ITERATIONS = 40 };

typedef struct fixture {
    cst_arena arena;
    cst_system system;
    cst_anderson anderson;
    double B[SIZE], c[SIZE], L[CARRIED][SIZE]; /* B is diagonal */
} fixture;

static void begin(fixture *f)
{
    cst_rng rng;
    cst_rng_seed(&rng, 3, 0);
    *f = (fixture){.system = {.dim = 3, .contacts = CONTACTS, .threads = 1}};
    for (int k = 0; k < SIZE; k++) {
        f->B[k] = cst_rng_range(&rng, -0.9, 0.97);
        f->c[k] = cst_rng_range(&rng, -1.0, 1.0);
        for (int row = 0; row < CARRIED; row++)
            f->L[row][k] = cst_rng_range(&rng, -1.0, 1.0);
    }
    cst_arena_begin(&f->arena, NULL);
    assert_true(cst_anderson_begin(&f->anderson, &f->system, MEMORY, CARRIED, &f->arena));
}

static void map(const fixture *f, const double *x, double *g)
{
    for (int k = 0; k < SIZE; k++)
        g[k] = f->B[k] * x[k] + f->c[k];
}

static void carry(const fixture *f, const double *x, double *s)
{
    for (int row = 0; row < CARRIED; row++) {
        s[row] = 0.0;
        for (int k = 0; k < SIZE; k++)
            s[row] += f->L[row][k] * x[k];
    }
}

static double distance(const double *a, const double *b, int size)
{
    double most = 0.0;
    for (int k = 0; k < size; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* The carried vector stays the linear function of the iterate, and the iterates converge much faster than without Anderson
 * acceleration, also after the stored differences were dropped. */
static void test_carried_vector(void **state)
{
    (void)state;
    fixture f;
    double x[SIZE] = {0}, plain[SIZE] = {0}, g[SIZE], s[CARRIED], expected[CARRIED], answer[SIZE];
    begin(&f);
    for (int k = 0; k < SIZE; k++)
        answer[k] = f.c[k] / (1.0 - f.B[k]);
    for (int i = 0; i < ITERATIONS; i++) {
        map(&f, plain, g);
        memcpy(plain, g, sizeof plain);
        map(&f, x, g);
        carry(&f, g, s);
        if (i == ITERATIONS / 2)
            cst_anderson_forget(&f.anderson);
        cst_anderson_measure(&f.anderson, x, g);
        cst_anderson_advance(&f.anderson, g, x, s);
        carry(&f, x, expected);
        assert_true(distance(s, expected, CARRIED) <= 1e-10);
        /* what the caller restores when it undoes an iteration */
        carry(&f, g, expected);
        assert_true(distance(f.anderson.carried_previous, expected, CARRIED) <= 1e-12);
    }
    print_message("distance from the answer: %.2g plain, %.2g accelerated\n", distance(plain, answer, SIZE),
                  distance(x, answer, SIZE));
    assert_true(distance(x, answer, SIZE) <= 0.01 * distance(plain, answer, SIZE));
    cst_arena_end(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_carried_vector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
