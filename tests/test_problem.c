/* The problem as data: whatever is not a problem is refused with a message that says where, and nothing is written; the
 * asymmetry that is reported; the symmetric part that is solved on demand. */
#include "friction/problem.h"
#include "tests/friction_fixture.h"

enum { N = 5, BLAMED = 3 };

static known_problem sound(int dim)
{
    return known_unique(1, (known_shape){.dim = dim, .contacts = N, .natural_order = true});
}

/* ------------------------------------------------------------------------------------------------------------- bad data */

/* Each spoils a sound problem at contact BLAMED, in its own way. r is the first guess. */
typedef void (*spoiler)(owned_problem *owned, double *r);

static void negative_mu(owned_problem *o, double *r)
{
    (void)r;
    o->mu[BLAMED] = -1e-300;
}
static void nan_mu(owned_problem *o, double *r)
{
    (void)r;
    o->mu[BLAMED] = NAN;
}
static void infinite_mu(owned_problem *o, double *r)
{
    (void)r;
    o->mu[BLAMED] = INFINITY;
}
static void nan_velocity(owned_problem *o, double *r)
{
    (void)r;
    o->free_velocity[(BLAMED + 1) * o->problem.dim - 1] = NAN;
}
static void infinite_velocity(owned_problem *o, double *r)
{
    (void)r;
    o->free_velocity[BLAMED * o->problem.dim] = -INFINITY;
}
static void nan_block(owned_problem *o, double *r)
{
    (void)r;
    o->block[o->row_start[BLAMED] * o->problem.dim * o->problem.dim] = NAN;
}
static void infinite_block(owned_problem *o, double *r)
{
    (void)r;
    o->block[o->row_start[BLAMED + 1] * o->problem.dim * o->problem.dim - 1] = INFINITY;
}
static void unsorted_columns(owned_problem *o, double *r)
{
    (void)r;
    const int64_t e = o->row_start[BLAMED];
    const int32_t first = o->column[e];
    o->column[e] = o->column[e + 1];
    o->column[e + 1] = first;
}
static void repeated_column(owned_problem *o, double *r)
{
    (void)r;
    o->column[o->row_start[BLAMED] + 1] = o->column[o->row_start[BLAMED]];
}
static void column_too_large(owned_problem *o, double *r)
{
    (void)r;
    o->column[o->row_start[BLAMED + 1] - 1] = N;
}
static void negative_column(owned_problem *o, double *r)
{
    (void)r;
    o->column[o->row_start[BLAMED]] = -1;
}
static void no_diagonal(owned_problem *o, double *r)
{
    (void)r;
    int64_t e = o->row_start[BLAMED];
    while (o->column[e] != BLAMED)
        e++;
    memmove(o->column + e, o->column + e + 1, (size_t)(o->row_start[N] - e - 1) * sizeof *o->column);
    for (int i = BLAMED; i < N; i++)
        o->row_start[i + 1]--;
}
static void empty_row(owned_problem *o, double *r)
{
    (void)r;
    o->row_start[BLAMED + 1] = o->row_start[BLAMED];
}
static void decreasing_row_start(owned_problem *o, double *r)
{
    (void)r;
    o->row_start[BLAMED + 1] = o->row_start[BLAMED] - 1;
}
static void unknown_law(owned_problem *o, double *r)
{
    (void)r;
    o->law[BLAMED] = 2;
}
static void nan_guess(owned_problem *o, double *r)
{
    r[BLAMED * o->problem.dim + 1] = NAN;
}
static void infinite_guess(owned_problem *o, double *r)
{
    r[BLAMED * o->problem.dim] = INFINITY;
}
static void row_start_not_zero(owned_problem *o, double *r)
{
    (void)r;
    o->row_start[0] = 1;
}
static void four_dimensions(owned_problem *o, double *r)
{
    (void)r;
    o->problem.dim = 4;
}
static void one_dimension(owned_problem *o, double *r)
{
    (void)r;
    o->problem.dim = 1;
}
static void negative_contacts(owned_problem *o, double *r)
{
    (void)r;
    o->problem.contacts = -1;
}
static void no_blocks(owned_problem *o, double *r)
{
    (void)r;
    o->problem.block = NULL;
}
static void no_columns(owned_problem *o, double *r)
{
    (void)r;
    o->problem.column = NULL;
}
static void no_mu(owned_problem *o, double *r)
{
    (void)r;
    o->problem.mu = NULL;
}
static void no_velocity(owned_problem *o, double *r)
{
    (void)r;
    o->problem.free_velocity = NULL;
}
static void no_row_start(owned_problem *o, double *r)
{
    (void)r;
    o->problem.row_start = NULL;
}

static const struct {
    const char *name;
    spoiler spoil;
    const char *said; /* the message contains this */
} BAD[] = {
    {"negative mu", negative_mu, "contact 3"},
    {"mu NaN", nan_mu, "contact 3"},
    {"mu infinite", infinite_mu, "contact 3"},
    {"free velocity NaN", nan_velocity, "contact 3"},
    {"free velocity infinite", infinite_velocity, "contact 3"},
    {"W NaN", nan_block, "contact 3"},
    {"W infinite", infinite_block, "contact 3"},
    {"columns not sorted", unsorted_columns, "contact 3"},
    {"a column twice", repeated_column, "contact 3"},
    {"a column too large", column_too_large, "contact 3"},
    {"a negative column", negative_column, "contact 3"},
    {"no diagonal block", no_diagonal, "contact 3"},
    {"an empty row", empty_row, "contact 3"},
    {"row_start decreasing", decreasing_row_start, "contact 3"},
    {"a law that does not exist", unknown_law, "contact 3"},
    {"first guess NaN", nan_guess, "contact 3"},
    {"first guess infinite", infinite_guess, "contact 3"},
    {"row_start not from 0", row_start_not_zero, "row_start"},
    {"dim 4", four_dimensions, "dim is 4"},
    {"dim 1", one_dimension, "dim is 1"},
    {"negative number of contacts", negative_contacts, "-1"},
    {"block NULL", no_blocks, "NULL"},
    {"column NULL", no_columns, "NULL"},
    {"mu NULL", no_mu, "NULL"},
    {"free_velocity NULL", no_velocity, "NULL"},
    {"row_start NULL", no_row_start, "NULL"},
};

static void *refuse(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static void refuse_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)memory;
    (void)bytes;
}

static int check_bad(size_t which, int dim)
{
    known_problem known = sound(dim);
    double r[N * 3], r_before[N * 3], u[N * 3], u_before[N * 3];
    for (int k = 0; k < N * 3; k++) {
        r[k] = 0.125 * k;
        u[k] = u_before[k] = -7.0 - k;
    }
    BAD[which].spoil(&known.owned, r);
    memcpy(r_before, r, sizeof r);
    cst_friction_options options = cst_friction_options_default();
    /* bad data are found before any memory is asked for */
    options.allocator = (cst_allocator){.acquire = refuse, .release = refuse_release};
    cst_friction_report report;
    memset(&report, 0x5a, sizeof report);
    const cst_status status = cst_friction_solve(&known.owned.problem, &options, r, u, &report);
    const char *wrong = NULL;
    if (status != CST_BAD_PROBLEM || report.status != CST_BAD_PROBLEM)
        wrong = "not refused";
    else if (!memchr(report.message, '\0', sizeof report.message) || !strstr(report.message, BAD[which].said))
        wrong = "the message does not say where";
    else if (!same_bits(r, r_before, N * 3) || !same_bits(u, u_before, N * 3))
        wrong = "an output was written";
    if (wrong)
        print_error("%s (%dD): %s: %s, '%s'\n", BAD[which].name, dim, wrong, cst_status_name(status), report.message);
    known_free(&known);
    return wrong != NULL;
}

static void test_bad_data_are_refused(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++)
        for (int dim = 2; dim <= 3; dim++)
            wrong += check_bad(k, dim);
    assert_int_equal(wrong, 0);
}

/* What looks odd but is a problem. */
static void test_odd_data_are_accepted(void **state)
{
    (void)state;
    known_problem known = sound(3);
    known.owned.law[BLAMED] = CST_LAW_BILATERAL;
    known.owned.mu[BLAMED] = NAN; /* ignored */
    outcome out = solve_with(&known.owned.problem, CST_SOLVER_AUTO, 1e-8, 1000);
    assert_solved(&known.owned.problem, &out, 1e-8, "bilateral with mu NaN");
    outcome_free(&out);
    known.owned.mu[BLAMED] = 0.0;
    known.owned.problem.law = NULL; /* all Coulomb */
    out = solve_with(&known.owned.problem, CST_SOLVER_AUTO, 1e-8, 1000);
    assert_solved(&known.owned.problem, &out, 1e-8, "no laws");
    outcome_free(&out);
    known_free(&known);
}

/* ------------------------------------------------------------------------------------------------------------ symmetry */

/* |W - W^T|_F / |W|_F of a dense copy. */
static double *dense_copy(const cst_friction_problem *p)
{
    const int dim = p->dim, m = dim * p->contacts;
    double *W = new_doubles((size_t)m * (size_t)m);
    for (int i = 0; i < p->contacts; i++)
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++)
            for (int k = 0; k < dim * dim; k++)
                W[(i * dim + k / dim) * m + p->column[e] * dim + k % dim] = p->block[e * dim * dim + k];
    return W;
}

/* A W whose pattern is not symmetric: some blocks of a sound one are dropped, others shaken. */
static owned_problem unsymmetric(uint64_t seed, int dim, int n, double shake, double drop)
{
    known_problem known = known_unique(seed, (known_shape){.dim = dim, .contacts = n});
    owned_problem *o = &known.owned;
    cst_rng rng;
    cst_rng_seed(&rng, seed, 99);
    int64_t kept = 0;
    for (int i = 0; i < n; i++) {
        const int64_t begin = o->row_start[i], end = o->row_start[i + 1];
        o->row_start[i] = kept;
        for (int64_t e = begin; e < end; e++) {
            if (o->column[e] != i && cst_rng_uniform(&rng) < drop)
                continue;
            o->column[kept] = o->column[e];
            for (int k = 0; k < dim * dim; k++)
                o->block[kept * dim * dim + k] = o->block[e * dim * dim + k] + shake * cst_rng_normal(&rng);
            kept++;
        }
        /* row_start[i + 1] is still the old one: the next row begins there */
    }
    o->row_start[n] = kept;
    free(known.r);
    free(known.u);
    return *o;
}

static void check_symmetrise(const cst_friction_problem *p)
{
    const int m = p->dim * p->contacts;
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_friction_problem transpose, symmetric;
    double *scratch = CST_TAKE(&arena, double, 2 * p->contacts);
    bool pattern_symmetric;
    const double asymmetry = cst_problem_asymmetry(p, 1, scratch, &pattern_symmetric);
    assert_true(cst_problem_transpose(p, &arena, &transpose));
    assert_true(cst_problem_symmetrise(p, &transpose, &arena, &symmetric));
    char message[256];
    assert_true(cst_problem_check(&transpose, message, sizeof message));
    assert_true(cst_problem_check(&symmetric, message, sizeof message));
    double *W = dense_copy(p), *T = dense_copy(&transpose), *S = dense_copy(&symmetric);
    double difference = 0.0, size = 0.0;
    bool seen_symmetric = true;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            assert_true(T[i * m + j] == W[j * m + i]);
            assert_true(S[i * m + j] == 0.5 * (W[i * m + j] + W[j * m + i]));
            difference += (W[i * m + j] - W[j * m + i]) * (W[i * m + j] - W[j * m + i]);
            size += W[i * m + j] * W[i * m + j];
        }
    for (int i = 0; i < p->contacts; i++)
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            bool mate = false;
            for (int64_t f = p->row_start[p->column[e]]; f < p->row_start[p->column[e] + 1]; f++)
                mate = mate || p->column[f] == i;
            seen_symmetric = seen_symmetric && mate;
        }
    assert_int_equal(pattern_symmetric, seen_symmetric);
    assert_true(fabs(asymmetry - sqrt(difference / size)) <= 1e-14);
    /* and the symmetric part is just that */
    bool pattern;
    assert_true(cst_problem_asymmetry(&symmetric, 1, scratch, &pattern) == 0.0 && pattern);
    free(W);
    free(T);
    free(S);
    cst_arena_end(&arena);
}

static void test_symmetric_part(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        owned_problem o =
            unsymmetric(seed, 2 + (int)(seed % 2), 2 + (int)(seed % 11), seed % 4 == 0 ? 0.0 : 0.01, seed % 3 == 0 ? 0.0 : 0.4);
        check_symmetrise(&o.problem);
        problem_free(&o);
    }
}

/* W as given unless asked otherwise: each answer satisfies its own problem, not the other's. */
static void test_as_given_or_symmetrised(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        const int dim = 2 + (int)(seed % 2), n = 12;
        owned_problem o = unsymmetric(100 + seed, dim, n, 0.02, 0.3);
        double *W = dense_copy(&o.problem), *S = new_doubles((size_t)n * (size_t)n * (size_t)dim * (size_t)dim);
        const int m = n * dim;
        for (int k = 0; k < m * m; k++)
            S[k] = 0.5 * (W[k] + W[k % m * m + k / m]);
        owned_problem symmetric = problem_from_dense(dim, n, S, o.free_velocity, o.mu, o.law);
        cst_friction_options options = cst_friction_options_default();
        options.tolerance = 1e-10;
        outcome given = solve_with_options(&o.problem, &options);
        assert_solved(&o.problem, &given, 1e-10, "W as given");
        assert_true(judge(&symmetric.problem, given.r, 0.0).alart_curnier > 1e-4);
        options.symmetrise = true;
        outcome mended = solve_with_options(&o.problem, &options);
        assert_solved(&symmetric.problem, &mended, 1e-10, "symmetrised");
        assert_true(judge(&o.problem, mended.r, 0.0).alart_curnier > 1e-4);
        /* the asymmetry reported is that of the W given, in both */
        assert_true(given.report.asymmetry > 1e-3 && given.report.asymmetry == mended.report.asymmetry);
        /* u is the velocity of the problem that was solved */
        double *u = new_doubles((size_t)m);
        problem_velocities(&symmetric.problem, mended.r, u);
        assert_true(velocity_distance(&symmetric.problem, u, mended.u) <= 1e-13);
        problem_velocities(&o.problem, given.r, u);
        assert_true(velocity_distance(&o.problem, u, given.u) <= 1e-13);
        free(u);
        outcome_free(&given);
        outcome_free(&mended);
        problem_free(&symmetric);
        problem_free(&o);
        free(W);
        free(S);
    }
}

/* Nothing of the caller's is written, and a NULL u is fine. */
static void test_inputs_are_only_read(void **state)
{
    (void)state;
    known_problem known = known_unique(3, (known_shape){.dim = 3, .contacts = 40, .bilateral = 0.1});
    owned_problem copy = problem_copy(&known.owned.problem);
    for (int solver = 0; solver < CST_SOLVER_COUNT; solver++) {
        double r[120] = {0}, r_again[120] = {0}, u[120];
        cst_friction_options options = cst_friction_options_default();
        options.solver = (cst_solver)solver;
        options.symmetrise = true;
        options.max_iterations = 200;
        cst_friction_report report, again;
        cst_friction_solve(&known.owned.problem, &options, r, u, &report);
        cst_friction_solve(&known.owned.problem, &options, r_again, NULL, &again);
        assert_memory_equal(r, r_again, sizeof r);
        assert_int_equal(report.status, again.status);
        const cst_friction_problem *a = &known.owned.problem, *b = &copy.problem;
        const size_t blocks = (size_t)a->row_start[40];
        assert_memory_equal(a->row_start, b->row_start, 41 * sizeof(int64_t));
        assert_memory_equal(a->column, b->column, blocks * sizeof(int32_t));
        assert_memory_equal(a->block, b->block, blocks * 9 * sizeof(double));
        assert_memory_equal(a->free_velocity, b->free_velocity, 120 * sizeof(double));
        assert_memory_equal(a->mu, b->mu, 40 * sizeof(double));
        assert_memory_equal(a->law, b->law, 40);
    }
    problem_free(&copy);
    known_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_data_are_refused), cmocka_unit_test(test_odd_data_are_accepted),
        cmocka_unit_test(test_symmetric_part),       cmocka_unit_test(test_as_given_or_symmetrised),
        cmocka_unit_test(test_inputs_are_only_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
