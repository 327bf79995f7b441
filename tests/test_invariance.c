/* What must not matter does not: units, the choice of tangents, the order of the contacts. */
#include "tests/friction_fixture.h"

enum { SEEDS = 6 };
static const double TOLERANCE = 1e-11, AGREE = 1e-8;

/* The solvers that reach TOLERANCE on problems as benign as these. */
static const cst_solver SOLVERS[] = {CST_SOLVER_AUTO,
                                     CST_SOLVER_GAUSS_SEIDEL,
                                     CST_SOLVER_ACCELERATED,
                                     CST_SOLVER_NEWTON_ALART_CURNIER,
                                     CST_SOLVER_CADOUX,
                                     CST_SOLVER_PROJECTED_GRADIENT,
                                     CST_SOLVER_PROJECTED_GAUSS_SEIDEL,
                                     CST_SOLVER_NEWTON_FISCHER_BURMEISTER,
                                     CST_SOLVER_PLAIN_NEWTON,
                                     CST_SOLVER_PLAIN_PROJECTED_GAUSS_SEIDEL,
                                     CST_SOLVER_INTERIOR_POINT};
enum { SOLVERS_COUNT = sizeof SOLVERS / sizeof SOLVERS[0] };

static known_problem base_problem(int seed)
{
    return known_unique((uint64_t)seed,
                        (known_shape){.dim = 2 + seed % 2, .contacts = 10 + 30 * seed, .bilateral = 0.1, .spread = 1.0 + seed});
}

static outcome solve_base(const cst_friction_problem *p, cst_solver solver, const char *name)
{
    outcome out = solve_with(p, solver, TOLERANCE, 20000);
    char full[80];
    snprintf(full, sizeof full, "%s, %s", cst_solver_name(solver), name);
    assert_solved(p, &out, TOLERANCE, full);
    return out;
}

/* (W, w) -> (s W, t w): u -> t u, r -> r t / s. */
static void test_units(void **state)
{
    (void)state;
    static const double FACTOR[][2] = {{1e-8, 1e-8}, {1e-8, 1e8}, {1e8, 1e-8}, {1e8, 1e8}, {1e-3, 1.0}, {1.0, 1e3}};
    double worst = 0.0;
    for (int s = 0; s < SOLVERS_COUNT; s++)
        for (int seed = 0; seed < SEEDS; seed++) {
            known_problem known = base_problem(seed);
            const int n = known.owned.problem.contacts, dim = known.owned.problem.dim;
            outcome before = solve_base(&known.owned.problem, SOLVERS[s], "as given");
            for (size_t f = 0; f < sizeof FACTOR / sizeof FACTOR[0]; f++) {
                owned_problem scaled = problem_copy(&known.owned.problem);
                for (int64_t k = 0; k < scaled.row_start[n] * dim * dim; k++)
                    scaled.block[k] *= FACTOR[f][0];
                for (int k = 0; k < n * dim; k++)
                    scaled.free_velocity[k] *= FACTOR[f][1];
                outcome after = solve_base(&scaled.problem, SOLVERS[s], "other units");
                for (int k = 0; k < n * dim; k++) {
                    after.u[k] /= FACTOR[f][1];
                    after.r[k] *= FACTOR[f][0] / FACTOR[f][1];
                }
                const double off = velocity_distance(&known.owned.problem, before.u, after.u);
                worst = fmax(worst, off);
                assert_true(off <= AGREE);
                assert_true(impulse_distance(&known.owned.problem, before.r, after.r) <= AGREE);
                outcome_free(&after);
                problem_free(&scaled);
            }
            outcome_free(&before);
            known_free(&known);
        }
    print_message("other units change the velocities by at most %.1e\n", worst);
}

/* In units that are powers of four nothing is rounded differently: the same bits. */
static void test_units_without_rounding(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS_COUNT; s++)
        for (int seed = 0; seed < SEEDS; seed++) {
            known_problem known = base_problem(seed);
            const int n = known.owned.problem.contacts, dim = known.owned.problem.dim;
            const double scale_w = 0x1p20, scale_v = 0x1p-14;
            owned_problem scaled = problem_copy(&known.owned.problem);
            for (int64_t k = 0; k < scaled.row_start[n] * dim * dim; k++)
                scaled.block[k] *= scale_w;
            for (int k = 0; k < n * dim; k++)
                scaled.free_velocity[k] *= scale_v;
            outcome before = solve_base(&known.owned.problem, SOLVERS[s], "as given");
            outcome after = solve_base(&scaled.problem, SOLVERS[s], "times powers of four");
            for (int k = 0; k < n * dim; k++)
                if (after.u[k] != before.u[k] * scale_v || after.r[k] != before.r[k] * (scale_v / scale_w))
                    fail_msg("%s, seed %d: not the same bits at %d", cst_solver_name(SOLVERS[s]), seed, k);
            assert_int_equal(before.report.iterations, after.report.iterations);
            outcome_free(&before);
            outcome_free(&after);
            problem_free(&scaled);
            known_free(&known);
        }
}

/* Other tangents at every contact, left-handed ones too: W_ij -> Q_i W_ij Q_j^T, w_i -> Q_i w_i. */
static void random_tangents(cst_rng *rng, int dim, double *Q)
{
    double axis[2] = {0};
    const double sign = cst_rng_uniform(rng) < 0.5 ? -1.0 : 1.0;
    memset(Q, 0, (size_t)dim * (size_t)dim * sizeof *Q);
    Q[0] = 1.0;
    if (dim == 2) {
        Q[3] = sign;
        return;
    }
    cst_rng_direction(rng, 2, axis);
    Q[4] = axis[0];
    Q[5] = axis[1];
    Q[7] = -sign * axis[1];
    Q[8] = sign * axis[0];
}

static void turn(int dim, const double *Q, const double *x, double *y)
{
    for (int a = 0; a < dim; a++) {
        y[a] = 0.0;
        for (int b = 0; b < dim; b++)
            y[a] += Q[a * dim + b] * x[b];
    }
}

static void test_tangents(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int s = 0; s < SOLVERS_COUNT; s++)
        for (int seed = 0; seed < SEEDS; seed++) {
            known_problem known = base_problem(seed);
            const cst_friction_problem *p = &known.owned.problem;
            const int n = p->contacts, dim = p->dim, square = dim * dim;
            double *Q = new_doubles((size_t)n * (size_t)square), *expected_u = new_doubles((size_t)n * (size_t)dim),
                   *expected_r = new_doubles((size_t)n * (size_t)dim);
            owned_problem turned = problem_copy(p);
            cst_rng rng;
            cst_rng_seed(&rng, (uint64_t)seed, 50);
            for (int i = 0; i < n; i++)
                random_tangents(&rng, dim, Q + i * square);
            for (int i = 0; i < n; i++) {
                turn(dim, Q + i * square, p->free_velocity + i * dim, turned.free_velocity + i * dim);
                for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
                    const double *Qj = Q + p->column[e] * square, *W = p->block + e * square;
                    double half[9];
                    for (int a = 0; a < dim; a++)
                        turn(dim, Qj, W + a * dim, half + a * dim); /* W Q_j^T */
                    for (int a = 0; a < dim; a++)
                        for (int b = 0; b < dim; b++) {
                            double sum = 0.0;
                            for (int c = 0; c < dim; c++)
                                sum += Q[i * square + a * dim + c] * half[c * dim + b];
                            turned.block[e * square + a * dim + b] = sum;
                        }
                }
            }
            outcome before = solve_base(p, SOLVERS[s], "as given");
            outcome after = solve_base(&turned.problem, SOLVERS[s], "other tangents");
            for (int i = 0; i < n; i++) {
                turn(dim, Q + i * square, before.u + i * dim, expected_u + i * dim);
                turn(dim, Q + i * square, before.r + i * dim, expected_r + i * dim);
            }
            const double off = velocity_distance(p, expected_u, after.u);
            worst = fmax(worst, off);
            assert_true(off <= AGREE);
            assert_true(impulse_distance(p, expected_r, after.r) <= AGREE);
            free(Q);
            free(expected_u);
            free(expected_r);
            outcome_free(&before);
            outcome_free(&after);
            problem_free(&turned);
            known_free(&known);
        }
    print_message("other tangents change the velocities by at most %.1e\n", worst);
}

/* ---------------------------------------------------------------------------------------------------------- permutation */

/* Contact k of the result is contact order[k] of p. */
static owned_problem permuted(const cst_friction_problem *p, const int32_t *order)
{
    const int n = p->contacts, dim = p->dim, square = dim * dim;
    owned_problem out = problem_new(dim, n, p->row_start[n]);
    int32_t *place = malloc((size_t)n * sizeof *place);
    assert_non_null(place);
    for (int k = 0; k < n; k++)
        place[order[k]] = k;
    int64_t filled = 0;
    for (int k = 0; k < n; k++) {
        const int i = order[k];
        /* insertion sort by new column */
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            const int32_t column = place[p->column[e]];
            int64_t at = filled++;
            for (; at > out.row_start[k] && out.column[at - 1] > column; at--) {
                out.column[at] = out.column[at - 1];
                memcpy(out.block + at * square, out.block + (at - 1) * square, (size_t)square * sizeof(double));
            }
            out.column[at] = column;
            memcpy(out.block + at * square, p->block + e * square, (size_t)square * sizeof(double));
        }
        out.row_start[k + 1] = filled;
        memcpy(out.free_velocity + k * dim, p->free_velocity + i * dim, (size_t)dim * sizeof(double));
        out.mu[k] = p->mu[i];
        out.law[k] = p->law[i];
    }
    free(place);
    return out;
}

static void shuffle(cst_rng *rng, int n, int32_t *order)
{
    for (int k = 0; k < n; k++)
        order[k] = k;
    for (int k = n - 1; k > 0; k--) {
        const int other = cst_rng_integer(rng, k + 1);
        const int32_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static void check_permutation(const known_problem *known, cst_solver solver, uint64_t seed, double *worst)
{
    const cst_friction_problem *p = &known->owned.problem;
    const int n = p->contacts, dim = p->dim;
    int32_t *order = malloc((size_t)n * sizeof *order);
    assert_non_null(order);
    cst_rng rng;
    cst_rng_seed(&rng, seed, 60);
    shuffle(&rng, n, order);
    owned_problem moved = permuted(p, order);
    outcome before = solve_base(p, solver, "as given");
    outcome after = solve_base(&moved.problem, solver, "in another order");
    double *expected = new_doubles((size_t)n * (size_t)dim);
    for (int k = 0; k < n; k++)
        memcpy(expected + k * dim, before.u + order[k] * dim, (size_t)dim * sizeof(double));
    const double off = velocity_distance(&moved.problem, expected, after.u);
    *worst = fmax(*worst, off);
    assert_true(off <= AGREE);
    for (int k = 0; k < n; k++)
        memcpy(expected + k * dim, before.r + order[k] * dim, (size_t)dim * sizeof(double));
    assert_true(impulse_distance(&moved.problem, expected, after.r) <= AGREE);
    free(expected);
    free(order);
    outcome_free(&before);
    outcome_free(&after);
    problem_free(&moved);
}

static void test_order_of_contacts(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int s = 0; s < SOLVERS_COUNT; s++)
        for (int seed = 0; seed < SEEDS; seed++) {
            known_problem known = base_problem(seed);
            check_permutation(&known, SOLVERS[s], (uint64_t)seed, &worst);
            known_free(&known);
        }
    /* above the size from which sweeps are coloured */
    known_problem large = known_unique(1, (known_shape){.dim = 3, .contacts = 2500, .bilateral = 0.05});
    check_permutation(&large, CST_SOLVER_AUTO, 1, &worst);
    check_permutation(&large, CST_SOLVER_GAUSS_SEIDEL, 2, &worst);
    known_free(&large);
    print_message("another order changes the velocities by at most %.1e\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_units_without_rounding),
        cmocka_unit_test(test_tangents),
        cmocka_unit_test(test_order_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
