/* Islands of a body problem: each has the form that suits it and the bits that it has alone, for any number of threads. A nodal
 * body is of no concern to islands that it does not touch. */
#include "friction/body_islands.h"
#include "generate/family.h"
#include "tests/friction_fixture.h"

typedef struct together {
    cst_body_problem problem;
    int parts;
    int32_t *contact_of; /* (contacts) the part of each contact */
    int32_t *body_of;    /* (bodies) */
} together;

/* Bodies and contacts of the parts dealt out in turns, so that no part is in one piece. */
static together deal(cst_generated **part, int parts)
{
    together all = {.parts = parts, .problem = {.dim = 3}};
    int most = 0;
    for (int p = 0; p < parts; p++) {
        all.problem.bodies += part[p]->problem.bodies;
        all.problem.contacts += part[p]->problem.contacts;
        most = part[p]->problem.bodies > most ? part[p]->problem.bodies : most;
        most = part[p]->problem.contacts > most ? part[p]->problem.contacts : most;
    }
    const size_t n = (size_t)all.problem.contacts, bodies = (size_t)all.problem.bodies;
    cst_body *body = calloc(bodies, sizeof *body);
    cst_contact_side *side_a = calloc(n, sizeof *side_a), *side_b = calloc(n, sizeof *side_b);
    double *offset = new_doubles(3 * n), *mu = new_doubles(n);
    uint8_t *law = calloc(n, 1);
    int32_t *number = calloc((size_t)parts * (size_t)most, sizeof *number);
    all.contact_of = calloc(n, sizeof *all.contact_of);
    all.body_of = calloc(bodies, sizeof *all.body_of);
    int at = 0;
    for (int k = 0; k < most; k++)
        for (int p = 0; p < parts; p++)
            if (k < part[p]->problem.bodies) {
                number[p * most + k] = at;
                all.body_of[at] = p;
                body[at++] = part[p]->problem.body[k];
            }
    at = 0;
    for (int k = 0; k < most; k++)
        for (int p = 0; p < parts; p++) {
            const cst_body_problem *of = &part[p]->problem;
            if (k >= of->contacts)
                continue;
            side_a[at] = of->side_a[k];
            side_b[at] = of->side_b[k];
            if (side_a[at].body >= 0)
                side_a[at].body = number[p * most + side_a[at].body];
            if (side_b[at].body >= 0)
                side_b[at].body = number[p * most + side_b[at].body];
            mu[at] = of->mu[k];
            law[at] = of->law ? of->law[k] : (uint8_t)CST_LAW_COULOMB;
            memcpy(offset + 3 * at, of->velocity_offset + 3 * k, 3 * sizeof(double));
            all.contact_of[at++] = p;
        }
    free(number);
    all.problem.body = body;
    all.problem.side_a = side_a;
    all.problem.side_b = side_b;
    all.problem.velocity_offset = offset;
    all.problem.mu = mu;
    all.problem.law = law;
    return all;
}

static void together_free(together *all)
{
    free((void *)(uintptr_t)all->problem.body);
    free((void *)(uintptr_t)all->problem.side_a);
    free((void *)(uintptr_t)all->problem.side_b);
    free((void *)(uintptr_t)all->problem.velocity_offset);
    free((void *)(uintptr_t)all->problem.mu);
    free((void *)(uintptr_t)all->problem.law);
    free(all->contact_of);
    free(all->body_of);
}

static int dofs_of(const cst_body_problem *problem)
{
    int dofs = 0;
    for (int k = 0; k < problem->bodies; k++)
        dofs += problem->body[k].size;
    return dofs;
}

typedef struct answer {
    double *r, *v;
    cst_friction_report report;
} answer;

static answer solve(const cst_body_problem *problem, double scale, int threads)
{
    cst_friction_options options = cst_friction_options_default();
    answer out = {.r = new_doubles(3 * (size_t)problem->contacts), .v = new_doubles((size_t)dofs_of(problem))};
    options.velocity_scale = scale;
    options.threads = threads;
    options.tolerance = 1e-6;
    cst_friction_solve_bodies(problem, &options, out.r, NULL, out.v, &out.report);
    assert_int_equal(out.report.status, CST_SOLVED);
    return out;
}

static void answer_free(answer *out)
{
    free(out->r);
    free(out->v);
}

enum { PARTS = 7 };

/* Rods on cloth and cloth alone (nodal bodies), fibers of several sizes, grains. */
static void make_parts(cst_generated **part)
{
    static const struct {
        const char *family;
        int contacts;
    } OF[PARTS] = {{"strands", 300}, {"mixed", 60},    {"strands", 40}, {"grains", 30},
                   {"sheet", 40},    {"strands", 900}, {"rods", 50}};
    for (int p = 0; p < PARTS; p++) {
        cst_family_parameters parameters = cst_family_parameters_default();
        parameters.contacts = OF[p].contacts;
        part[p] = cst_family_find(OF[p].family)->make((uint64_t)p + 1, &parameters, NULL);
        assert_non_null(part[p]);
        assert_int_equal(part[p]->problem.dim, 3);
    }
}

static bool is_nodal(const cst_body_problem *problem)
{
    for (int k = 0; k < problem->bodies; k++)
        if (problem->body[k].kind == CST_BODY_NODAL)
            return true;
    return false;
}

/* The answer of a part, picked out of the answer of all. */
static bool same_as_alone(const together *all, const answer *found, int part, const answer *alone)
{
    bool same = true;
    int at = 0;
    for (int i = 0; i < all->problem.contacts; i++)
        if (all->contact_of[i] == part)
            same &= same_bits(found->r + 3 * i, alone->r + 3 * at++, 3);
    const double *v = found->v;
    at = 0;
    for (int k = 0; k < all->problem.bodies; k++) {
        const int size = all->problem.body[k].size;
        if (all->body_of[k] == part) {
            same &= same_bits(v, alone->v + at, (size_t)size);
            at += size;
        }
        v += size;
    }
    return same;
}

/* Same bits as each part alone, whatever the threads; and the work is the sum of the work of the parts. */
static void test_islands_of_all_kinds(void **state)
{
    (void)state;
    cst_generated *part[PARTS];
    make_parts(part);
    together all = deal(part, PARTS);
    answer one = solve(&all.problem, 0.0, 1);
    const double scale = one.report.residual.velocity_scale;
    assert_true(one.report.form != CST_FORM_MIXED); /* the largest island is of fibers */
    int islands = 0, most = 0, total = 0;
    int64_t local_solves = 0;
    bool nodal = false, reduced = false;
    for (int p = 0; p < PARTS; p++) {
        answer alone = solve(&part[p]->problem, scale, 1);
        if (!same_as_alone(&all, &one, p, &alone))
            fail_msg("part %d (%s) is not solved as if alone", p, part[p]->name);
        nodal |= is_nodal(&part[p]->problem);
        reduced |= !is_nodal(&part[p]->problem);
        islands += alone.report.islands;
        total += alone.report.iterations_total;
        most = alone.report.iterations > most ? alone.report.iterations : most;
        local_solves += alone.report.local_solves;
        answer_free(&alone);
    }
    assert_true(nodal && reduced);
    assert_int_equal(one.report.islands, islands);
    assert_int_equal(one.report.iterations, most);
    assert_int_equal(one.report.iterations_total, total);
    assert_int_equal(one.report.local_solves, local_solves);
    for (int threads = 2; threads <= 4; threads += 2) {
        answer many = solve(&all.problem, 0.0, threads);
        assert_true(same_bits(one.r, many.r, 3 * (size_t)all.problem.contacts));
        assert_true(same_bits(one.v, many.v, (size_t)dofs_of(&all.problem)));
        assert_int_equal(one.report.iterations_total, many.report.iterations_total);
        assert_int_equal(one.report.solver, many.report.solver);
        assert_int_equal(one.report.form, many.report.form);
        assert_true(one.report.residual.error == many.report.residual.error);
        answer_free(&many);
    }
    answer_free(&one);
    together_free(&all);
    for (int p = 0; p < PARTS; p++)
        cst_generated_free(part[p]);
}

/* 500 islands of rods and a sheet that touches none of them cost what they cost apart: not one sweep over all of them. */
static void test_one_nodal_body_far_away(void **state)
{
    (void)state;
    enum { FIBERS = 500 };
    cst_family_parameters parameters = cst_family_parameters_default();
    parameters.contacts = 4;
    cst_generated *part[FIBERS + 1];
    for (int p = 0; p < FIBERS; p++) {
        part[p] = cst_family_find("rods")->make((uint64_t)p + 1, &parameters, NULL);
        assert_non_null(part[p]);
    }
    parameters.contacts = 30;
    part[FIBERS] = cst_family_find("sheet")->make(1, &parameters, NULL);
    together fibers = deal(part, FIBERS), all = deal(part, FIBERS + 1);
    answer with = solve(&all.problem, 0.0, 1);
    const double scale = with.report.residual.velocity_scale;
    answer without = solve(&fibers.problem, scale, 1), nodal = solve(&part[FIBERS]->problem, scale, 1);
    assert_int_equal(nodal.report.form, CST_FORM_MIXED);
    assert_int_equal(with.report.islands, without.report.islands + nodal.report.islands);
    assert_int_equal(with.report.local_solves, without.report.local_solves + nodal.report.local_solves);
    assert_int_equal(with.report.iterations_total, without.report.iterations_total + nodal.report.iterations_total);
    const double seconds =
        without.report.seconds + without.report.setup_seconds + nodal.report.seconds + nodal.report.setup_seconds;
    print_message("500 islands of rods and one sheet: %.1f ms, apart %.1f ms\n",
                  1e3 * (with.report.seconds + with.report.setup_seconds), 1e3 * seconds);
    answer_free(&with);
    answer_free(&without);
    answer_free(&nodal);
    together_free(&fibers);
    together_free(&all);
    for (int p = 0; p <= FIBERS; p++)
        cst_generated_free(part[p]);
}

/* Sorted by island, and back; bodies that nothing touches come last. */
static void test_splitting(void **state)
{
    (void)state;
    static const double ONE[] = {1.0}, H[] = {1.0, 0.0}, OFFSET[8] = {0}, MU[4] = {0.1, 0.2, 0.3, 0.4};
    static const int32_t DOF[] = {0};
    cst_body body[5];
    for (int k = 0; k < 5; k++)
        body[k] = (cst_body){.kind = CST_BODY_DENSE, .size = 1, .matrix = ONE, .rhs = ONE};
#define ON(which) ((cst_contact_side){.body = (which), .dofs = 1, .dof = DOF, .h = H})
    const cst_contact_side none = {.body = -1};
    const cst_contact_side a[] = {ON(4), ON(1), none, ON(0)}, b[] = {none, ON(3), none, ON(4)};
    const cst_body_problem problem = {
        .dim = 2, .bodies = 5, .body = body, .contacts = 4, .side_a = a, .side_b = b, .velocity_offset = OFFSET, .mu = MU};
    const double r[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    cst_arena arena;
    cst_body_islands split;
    cst_arena_begin(&arena, NULL);
    assert_true(cst_body_islands_begin(&split, &problem, r, NULL, &arena));
    assert_int_equal(split.islands, 3);
    assert_int_equal(split.touching, 3);
    const int32_t contact[] = {0, 3, 1, 2}, bodies[] = {0, 4, 1, 3, 2};
    assert_memory_equal(split.contact, contact, sizeof contact);
    assert_memory_equal(split.body, bodies, sizeof bodies);
    const cst_body_problem second = cst_body_islands_problem(&split, 1);
    assert_int_equal(second.bodies, 2);
    assert_int_equal(second.contacts, 1);
    assert_int_equal(second.side_a[0].body, 0);
    assert_int_equal(second.side_b[0].body, 1);
    assert_true(second.mu[0] == 0.2);
    const cst_body_problem third = cst_body_islands_problem(&split, 2);
    assert_int_equal(third.bodies, 0);
    assert_int_equal(third.contacts, 1);
    const int64_t offset[] = {0, 1, 2, 3, 4, 5};
    double back[8], v[5];
    for (int k = 0; k < 5; k++)
        split.v[k] = k;
    cst_body_islands_unsort(&split, offset, back, v);
    assert_memory_equal(back, r, sizeof r);
    for (int k = 0; k < 5; k++)
        assert_true(v[bodies[k]] == k);
    cst_arena_end(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_islands_of_all_kinds),
        cmocka_unit_test(test_one_nodal_body_far_away),
        cmocka_unit_test(test_splitting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
