/* Joined bodies against dense algebra: the saddle point system of random bodies, dependent rows, and friction through a group
 * against the same constraints given to the solver as bilateral contacts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/body_problems.h"
#include "tests/held_bodies.h"
#include "world/point_motion.h"

enum { BODIES = 5, DOFS = 7, TOUCHED = 3, POINTS = 6, SIZE = BODIES * DOFS, ROWS_MAX = 48, SEEDS = 20 };

/* Five random bodies, the constraints between them, and G, g of the whole made by hand. */
typedef struct system {
    held_bodies *held;
    double A[SIZE * SIZE], rhs[SIZE];
    double G[ROWS_MAX * SIZE], g[ROWS_MAX];
    int rows;
} system_t;

/* Row `which` (x, y, turn) of a point's motion, with its sign. */
static void add_row(system_t *s, int row, int body, double feature, const double *weight, double sign)
{
    cst_arena arena;
    cst_arena_begin(&arena, NULL);
    cst_point_motion point;
    const cst_body_model *model = s->held->body + body;
    assert_true(cst_point_motion_take(&arena, model, 2, &point));
    model->class->places->point(model->self, &(cst_material_point){.feature = (int32_t)feature}, &point);
    for (int k = 0; k < point.dofs; k++)
        s->G[row * SIZE + body * DOFS + point.dof[k]] +=
            sign * (weight[0] * point.j[k] + weight[1] * point.j[point.dofs + k] + weight[2] * point.j_turn[k]);
    s->g[row] -= sign * (weight[0] * point.drift[0] + weight[1] * point.drift[1] + weight[2] * point.drift_turn[2]);
    cst_arena_end(&arena);
}

static void add_constraint(system_t *s, cst_rng *rng, cst_constraint_kind kind, int a, int b)
{
    cst_constraint_def def = cst_constraint_def_default();
    def.kind = kind;
    const int point_a = cst_rng_integer(rng, POINTS), other = cst_rng_integer(rng, POINTS - 1);
    const int point_b = other + (other >= point_a); /* another one: a and b may be on one body */
    double direction[2];
    cst_rng_direction(rng, 2, direction);
    memcpy(def.direction, direction, sizeof direction);
    def.a = (cst_place){.body = (cst_body_id)a + 1, .s = point_a};
    def.b = (cst_place){.body = (cst_body_id)(b + 1), .s = point_b};
    /* Everything is at the origin: only a motion of the world asks for a velocity. */
    cst_key key[2] = {{.time = 0.0}, {.time = 1.0}};
    double velocity[3] = {0.0, 0.0, 0.0};
    if (b < 0) {
        for (int i = 0; i < 3; i++)
            velocity[i] = cst_rng_normal(rng);
        key[1].translation[0] = velocity[0];
        key[1].translation[1] = velocity[1];
        if (kind == CST_CONSTRAINT_CLAMPED) /* a slide would turn with it */
            key[1].rotation[2] = velocity[2];
        else
            velocity[2] = 0.0;
        def.motion = (cst_motion){.key = key, .keys = 2};
    }
    held_constrain(s->held, &def);
    const bool slides = kind == CST_CONSTRAINT_SLIDING || kind == CST_CONSTRAINT_GUIDED;
    double weight[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    if (slides) {
        weight[0][0] = -direction[1];
        weight[0][1] = direction[0];
    }
    for (int i = 0; i < 3; i++) {
        if ((slides && i == 1) || (i == 2 && (kind == CST_CONSTRAINT_PINNED || kind == CST_CONSTRAINT_SLIDING)))
            continue;
        assert_true(s->rows < ROWS_MAX);
        add_row(s, s->rows, a, point_a, weight[i], 1.0);
        if (b >= 0)
            add_row(s, s->rows, b, point_b, weight[i], -1.0);
        for (int k = 0; k < 3; k++)
            s->g[s->rows] += weight[i][k] * velocity[k];
        s->rows++;
    }
}

static system_t *make(uint64_t seed, double theta)
{
    system_t *s = calloc(1, sizeof *s);
    cst_rng rng;
    cst_rng_seed(&rng, seed, 1);
    s->held = held_new(1e-3, theta);
    for (int i = 0; i < BODIES; i++) {
        held_add(s->held, stand_in_new(&rng, DOFS, TOUCHED, POINTS));
        const double *A = stand_in_matrix(s->held->body + i);
        memcpy(s->rhs + i * DOFS, s->held->body[i].class->dynamics->rhs(s->held->body[i].self), sizeof(double[DOFS]));
        for (int k = 0; k < DOFS; k++)
            memcpy(s->A + (i * DOFS + k) * SIZE + i * DOFS, A + k * DOFS, sizeof(double[DOFS]));
    }
    add_constraint(s, &rng, CST_CONSTRAINT_PINNED, 3, 0);
    add_constraint(s, &rng, CST_CONSTRAINT_CLAMPED, 0, -1);
    add_constraint(s, &rng, CST_CONSTRAINT_SLIDING, 1, 3);
    add_constraint(s, &rng, CST_CONSTRAINT_GUIDED, 4, 1);
    add_constraint(s, &rng, CST_CONSTRAINT_PINNED, 4, 4); /* a body to itself */
    add_constraint(s, &rng, CST_CONSTRAINT_GUIDED, 2, -1);
    return s;
}

static void drop(system_t *s)
{
    held_free(s->held);
    free(s);
}

/* v and lambda of [A -G^T; G 0] [v; lambda] = [f; g]. */
static void saddle(const system_t *s, const double *f, const double *g, double *v, double *lambda)
{
    const int n = SIZE + s->rows;
    double *K = calloc((size_t)(n * n), sizeof *K), *x = calloc((size_t)n, sizeof *x);
    for (int i = 0; i < SIZE; i++)
        memcpy(K + i * n, s->A + i * SIZE, sizeof(double[SIZE]));
    for (int r = 0; r < s->rows; r++)
        for (int i = 0; i < SIZE; i++) {
            K[(SIZE + r) * n + i] = s->G[r * SIZE + i];
            K[i * n + SIZE + r] = -s->G[r * SIZE + i];
        }
    memcpy(x, f, sizeof(double[SIZE]));
    memcpy(x + SIZE, g, sizeof(double) * (size_t)s->rows);
    test_dense_solve(n, K, 1, x);
    memcpy(v, x, sizeof(double[SIZE]));
    memcpy(lambda, x + SIZE, sizeof(double) * (size_t)s->rows);
    free(K);
    free(x);
}

static void assert_near(double found, double expected, double tolerance, const char *what, int at)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s %d: %.17g, not %.17g", what, at, found, expected);
}

static void begin(system_t *s, cst_joined *joined)
{
    char message[256];
    assert_true(cst_joined_begin(joined, s->held->body, s->held->bodies, s->held->constraint, s->held->constraints,
                                 &s->held->frame, CST_JOINED_ROWS_MAX, &s->held->step));
    for (int k = 0; k < joined->groups; k++)
        assert_true(cst_joined_assemble(joined->group + k, &s->held->frame, NULL, message, sizeof message));
}

/* Group vectors to and from the vector of all bodies. */
static void gather(const cst_joined *joined, int group, const double *all, double *of_group)
{
    for (int i = 0; i < BODIES; i++)
        if (joined->group_of[i] == group)
            memcpy(of_group + joined->offset_of[i], all + i * DOFS, sizeof(double[DOFS]));
}

static void scatter(const cst_joined *joined, int group, const double *of_group, double *all)
{
    for (int i = 0; i < BODIES; i++)
        if (joined->group_of[i] == group)
            memcpy(all + i * DOFS, of_group + joined->offset_of[i], sizeof(double[DOFS]));
}

static void groups_are_those_that_hang_together(void **state)
{
    (void)state;
    system_t *s = make(1, 1.0);
    cst_joined joined;
    begin(s, &joined);
    assert_int_equal(joined.groups, 2);
    const int expected[BODIES] = {0, 0, 1, 0, 0};
    for (int i = 0; i < BODIES; i++)
        assert_int_equal(joined.group_of[i], expected[i]);
    assert_int_equal(joined.group[0].members, 4);
    assert_int_equal(joined.group[0].size, 4 * DOFS);
    assert_int_equal(joined.group[0].rows, 2 + 3 + 1 + 2 + 2);
    assert_int_equal(joined.group[1].rows, 2);
    assert_int_equal(joined.offset_of[3], 2 * DOFS);
    drop(s);
}

static void velocities_and_multipliers_are_those_of_the_saddle_point(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int scheme = 0; scheme < 2; scheme++) {
            system_t *s = make(seed, scheme == 0 ? 1.0 : 0.5); /* no error yet: both ask for the velocity of the target */
            cst_joined joined;
            begin(s, &joined);
            double v[SIZE], lambda[ROWS_MAX];
            saddle(s, s->rhs, s->g, v, lambda);
            double largest = 0.0;
            for (int i = 0; i < SIZE; i++)
                largest = fmax(largest, fabs(v[i]));
            double found[SIZE], f[SIZE], of_group[SIZE];
            for (int k = 0; k < joined.groups; k++) {
                assert_int_equal(joined.group[k].redundant, 0);
                gather(&joined, k, s->rhs, f);
                assert_true(cst_joined_finish(joined.group + k, &s->held->frame, f, of_group));
                scatter(&joined, k, of_group, found);
            }
            for (int i = 0; i < SIZE; i++)
                assert_near(found[i], v[i], 1e-9 * largest, "v", i);
            int row = 0;
            double worst = 0.0, most = 0.0;
            for (int i = 0; i < s->held->constraints; i++)
                for (int k = 0; k < cst_constraint_rows(s->held->constraint + i); k++, row++) {
                    worst = fmax(worst, fabs(s->held->constraint[i].impulse[k] - lambda[row]));
                    most = fmax(most, fabs(lambda[row]));
                }
            assert_true(worst <= 1e-9 * most);
            /* The constraints hold to rounding. */
            for (int r = 0; r < s->rows; r++) {
                double rate = -s->g[r];
                for (int i = 0; i < SIZE; i++)
                    rate += s->G[r * SIZE + i] * found[i];
                assert_near(rate, 0.0, 1e-12 * largest, "row", r);
            }
            drop(s);
        }
}

/* What friction sees: A_c^-1 x and the shift. */
static void described_body_and_shift_make_the_same_velocities(void **state)
{
    (void)state;
    system_t *s = make(7, 1.0);
    cst_joined joined;
    begin(s, &joined);
    double v[SIZE], lambda[ROWS_MAX];
    saddle(s, s->rhs, s->g, v, lambda);
    for (int k = 0; k < joined.groups; k++) {
        cst_body body;
        double x[SIZE], expected[SIZE];
        cst_joined_describe(joined.group + k, &body);
        assert_int_equal(body.kind, CST_BODY_SOLVE);
        assert_int_equal(body.size, joined.group[k].size);
        memcpy(x, body.rhs, sizeof(double) * (size_t)body.size);
        assert_true(body.solve(body.user, x));
        gather(&joined, k, v, expected);
        for (int i = 0; i < body.size; i++)
            assert_near(x[i] + joined.group[k].shift[i], expected[i], 1e-10, "v", i);
        /* Symmetric: e_i . A_c^-1 e_j both ways. */
        for (int i = 0; i < body.size; i += 3) {
            double ei[SIZE] = {0}, ej[SIZE] = {0};
            const int j = (i * 5 + 2) % body.size;
            ei[i] = ej[j] = 1.0;
            assert_true(body.solve(body.user, ei) && body.solve(body.user, ej));
            assert_near(ei[j], ej[i], 1e-12, "symmetry", i);
        }
    }
    drop(s);
}

/* Every constraint twice: as many rows are left out, and nothing changes. */
static void constraints_given_twice_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        system_t *s = make(seed, 1.0);
        cst_joined joined;
        begin(s, &joined);
        double once[SIZE], twice[SIZE];
        assert_true(cst_joined_finish(joined.group, &s->held->frame, joined.group[0].rhs, once));
        const int rows = joined.group[0].rows, single = s->held->constraints;
        for (int i = 0; i < single; i++)
            s->held->constraint[s->held->constraints++] = s->held->constraint[i];
        begin(s, &joined);
        assert_int_equal(joined.group[0].rows, 2 * rows);
        assert_int_equal(joined.group[0].redundant, rows);
        assert_true(cst_joined_finish(joined.group, &s->held->frame, joined.group[0].rhs, twice));
        for (int i = 0; i < joined.group[0].size; i++)
            assert_near(twice[i], once[i], 1e-9, "v", i);
        drop(s);
    }
}

/* A warm step of the arena acquires nothing. */
static int acquired;
static void *counting_acquire(void *user, size_t bytes)
{
    (void)user;
    acquired++;
    return malloc(bytes);
}

static void counting_release(void *user, void *memory, size_t bytes)
{
    (void)user, (void)bytes;
    free(memory);
}

static void warm_steps_acquire_nothing(void **state)
{
    (void)state;
    system_t *s = make(3, 1.0);
    cst_arena_end(&s->held->step);
    cst_arena_begin(&s->held->step, &(cst_allocator){.acquire = counting_acquire, .release = counting_release});
    acquired = 0;
    int after_first = 0;
    for (int step = 0; step < 4; step++) {
        const cst_arena_mark mark = cst_arena_mark_now(&s->held->step);
        cst_joined joined;
        begin(s, &joined);
        cst_arena_release(&s->held->step, mark);
        if (step == 0)
            after_first = acquired;
    }
    assert_true(after_first > 0);
    assert_int_equal(acquired, after_first);
    drop(s);
}

static int refusals;
static void *refusing_acquire(void *user, size_t bytes)
{
    int *left = user;
    if ((*left)-- <= 0) {
        refusals++;
        return NULL;
    }
    return malloc(bytes);
}

static void lack_of_memory_is_said(void **state)
{
    (void)state;
    system_t *s = make(4, 1.0);
    bool begun = false;
    for (int allowed = 0; allowed < 100 && !begun; allowed++) {
        int left = allowed;
        cst_arena arena;
        cst_arena_begin(&arena, &(cst_allocator){.acquire = refusing_acquire, .release = counting_release, .user = &left});
        cst_joined joined;
        refusals = 0;
        begun = cst_joined_begin(&joined, s->held->body, s->held->bodies, s->held->constraint, s->held->constraints,
                                 &s->held->frame, CST_JOINED_ROWS_MAX, &arena);
        assert_true(begun == (refusals == 0));
        cst_arena_end(&arena);
    }
    assert_true(begun);
    drop(s);
}

/* -------------------------------------------------------------------------------------------------------------- friction */

enum { CONTACTS = 8 };

typedef struct touch {
    int32_t body, dof[TOUCHED], dof_of_group[TOUCHED];
    double h[2 * TOUCHED];
} touch;

/* Coulomb contacts between the bodies, through the groups, and with all constraints as bilateral contacts of separate bodies. */
static void friction_through_a_group_equals_bilateral_contacts(void **state)
{
    (void)state;
    int solved = 0, working = 0, sliding = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        system_t *s = calloc(1, sizeof *s);
        cst_rng rng;
        cst_rng_seed(&rng, seed, 2);
        s->held = held_new(1e-3, 1.0);
        cst_body separate[BODIES];
        for (int i = 0; i < BODIES; i++) {
            held_add(s->held, stand_in_new(&rng, DOFS, TOUCHED, POINTS));
            const cst_body_model *body = s->held->body + i;
            separate[i] = (cst_body){.kind = CST_BODY_DENSE,
                                     .size = DOFS,
                                     .matrix = stand_in_matrix(body),
                                     .rhs = body->class->dynamics->rhs(body->self)};
        }
        add_constraint(s, &rng, CST_CONSTRAINT_PINNED, 0, -1);
        add_constraint(s, &rng, CST_CONSTRAINT_PINNED, 2, 0);
        add_constraint(s, &rng, CST_CONSTRAINT_PINNED, 3, 1);
        const int pins = 3;
        assert_int_equal(s->rows, 2 * pins);

        cst_joined joined;
        begin(s, &joined);
        assert_int_equal(joined.groups, 2); /* and body 4 is free */
        cst_body grouped[3];
        cst_joined_describe(joined.group, grouped);
        cst_joined_describe(joined.group + 1, grouped + 1);
        grouped[2] = separate[4];

        touch touches[CONTACTS][2];
        cst_contact_side side[2][CONTACTS], oracle_side[2][CONTACTS + 3];
        double offset[2 * CONTACTS], oracle_offset[2 * (CONTACTS + 3)], mu[CONTACTS + 3];
        uint8_t law[CONTACTS + 3];
        for (int c = 0; c < CONTACTS; c++) {
            mu[c] = 0.3;
            law[c] = CST_LAW_COULOMB;
            const int a = c % BODIES, b = (c + 1 + c / BODIES) % BODIES;
            for (int k = 0; k < 2; k++) {
                touch *at = &touches[c][k];
                at->body = k == 0 ? a : b;
                const int group = joined.group_of[at->body] < 0 ? 2 : joined.group_of[at->body];
                for (int d = 0; d < TOUCHED; d++) {
                    at->dof[d] = 2 * d;
                    at->dof_of_group[d] = joined.offset_of[at->body] + 2 * d;
                }
                for (int d = 0; d < 2 * TOUCHED; d++)
                    at->h[d] = cst_rng_normal(&rng);
                oracle_side[k][c] = (cst_contact_side){.body = at->body, .dofs = TOUCHED, .dof = at->dof, .h = at->h};
                side[k][c] = (cst_contact_side){.body = group, .dofs = TOUCHED, .dof = at->dof_of_group, .h = at->h};
            }
            for (int k = 0; k < 2; k++)
                offset[2 * c + k] = oracle_offset[2 * c + k] = cst_rng_normal(&rng) - (k == 0 ? 1.0 : 0.0);
        }
        /* H shift: what the constraints ask for is seen by the contacts. */
        for (int c = 0; c < CONTACTS; c++)
            for (int k = 0; k < 2; k++)
                if (side[k][c].body < 2)
                    for (int row = 0; row < 2; row++)
                        for (int d = 0; d < TOUCHED; d++)
                            offset[2 * c + row] += touches[c][k].h[row * TOUCHED + d] *
                                                   joined.group[side[k][c].body].shift[touches[c][k].dof_of_group[d]];
        double pin_h[3][2][2 * DOFS];
        int32_t all_dofs[DOFS];
        for (int d = 0; d < DOFS; d++)
            all_dofs[d] = d;
        const int pin_body[3][2] = {{0, -1}, {2, 0}, {3, 1}};
        for (int p = 0; p < pins; p++) {
            mu[CONTACTS + p] = 0.0;
            law[CONTACTS + p] = CST_LAW_BILATERAL;
            for (int k = 0; k < 2; k++) {
                const int body = pin_body[p][k];
                for (int row = 0; row < 2 && body >= 0; row++)
                    memcpy(pin_h[p][k] + row * DOFS, s->G + (2 * p + row) * SIZE + body * DOFS, sizeof(double[DOFS]));
                oracle_side[k][CONTACTS + p] =
                    (cst_contact_side){.body = body, .dofs = body < 0 ? 0 : DOFS, .dof = all_dofs, .h = pin_h[p][k]};
            }
            for (int row = 0; row < 2; row++)
                oracle_offset[2 * (CONTACTS + p) + row] = -s->g[2 * p + row];
        }

        cst_friction_options options = cst_friction_options_default();
        options.tolerance = 1e-12;
        cst_friction_report report;
        double r[2 * CONTACTS] = {0}, u[2 * CONTACTS], v[SIZE];
        double oracle_r[2 * (CONTACTS + 3)] = {0}, oracle_u[2 * (CONTACTS + 3)], oracle_v[SIZE];
        const cst_body_problem problem = {.dim = 2,
                                          .bodies = 3,
                                          .body = grouped,
                                          .contacts = CONTACTS,
                                          .side_a = side[0],
                                          .side_b = side[1],
                                          .velocity_offset = offset,
                                          .mu = mu};
        const cst_body_problem oracle = {.dim = 2,
                                         .bodies = BODIES,
                                         .body = separate,
                                         .contacts = CONTACTS + pins,
                                         .side_a = oracle_side[0],
                                         .side_b = oracle_side[1],
                                         .velocity_offset = oracle_offset,
                                         .mu = mu,
                                         .law = law};
        const cst_status oracle_status = cst_friction_solve_bodies(&oracle, &options, oracle_r, oracle_u, oracle_v, &report);
        if (oracle_status != CST_SOLVED) { /* random contacts may have no solution */
            drop(s);
            continue;
        }
        solved++;
        for (int form = CST_FORM_AUTO; form <= CST_FORM_PRODUCT; form++) {
            options.form = (cst_form)form;
            memset(r, 0, sizeof r);
            assert_int_equal(cst_friction_solve_bodies(&problem, &options, r, u, v, &report), CST_SOLVED);
            double scale = 1.0, scale_r = 1.0;
            for (int i = 0; i < 2 * CONTACTS; i++) {
                scale = fmax(scale, fabs(oracle_u[i]));
                scale_r = fmax(scale_r, fabs(oracle_r[i]));
            }
            for (int i = 0; i < 2 * CONTACTS; i++) {
                assert_near(u[i], oracle_u[i], 1e-8 * scale, "u", i);
                assert_near(r[i], oracle_r[i], 1e-8 * scale_r, "r", i);
            }
            for (int c = 0; c < CONTACTS; c++) {
                working += r[2 * c] > 0.0;
                sliding += r[2 * c] > 0.0 && fabs(u[2 * c + 1]) > 1e-6;
            }
            /* Velocities and multipliers from f = rhs + H^T r. */
            const int start[3] = {0, grouped[0].size, grouped[0].size + grouped[1].size};
            double f[SIZE];
            for (int k = 0; k < 3; k++)
                memcpy(f + start[k], grouped[k].rhs, sizeof(double) * (size_t)grouped[k].size);
            for (int c = 0; c < CONTACTS; c++)
                for (int k = 0; k < 2; k++)
                    for (int row = 0; row < 2; row++)
                        for (int d = 0; d < TOUCHED; d++)
                            f[start[side[k][c].body] + side[k][c].dof[d]] += side[k][c].h[row * TOUCHED + d] * r[2 * c + row];
            for (int k = 0; k < 2; k++) {
                double exact[SIZE], expected[SIZE];
                assert_true(cst_joined_finish(joined.group + k, &s->held->frame, f + start[k], exact));
                gather(&joined, k, oracle_v, expected);
                for (int i = 0; i < joined.group[k].size; i++) {
                    assert_near(exact[i], expected[i], 1e-8 * scale, "v", i);
                    assert_near(v[start[k] + i] + joined.group[k].shift[i], expected[i], 1e-8 * scale, "v with shift", i);
                }
            }
            for (int p = 0; p < pins; p++)
                for (int row = 0; row < 2; row++)
                    assert_near(s->held->constraint[p].impulse[row], oracle_r[2 * (CONTACTS + p) + row], 1e-8 * scale_r,
                                "multiplier", p);
        }
        drop(s);
    }
    assert_true(solved >= SEEDS / 2 && working >= 4 * SEEDS && sliding >= SEEDS); /* the contacts do something */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_those_that_hang_together),
        cmocka_unit_test(velocities_and_multipliers_are_those_of_the_saddle_point),
        cmocka_unit_test(described_body_and_shift_make_the_same_velocities),
        cmocka_unit_test(constraints_given_twice_change_nothing),
        cmocka_unit_test(warm_steps_acquire_nothing),
        cmocka_unit_test(lack_of_memory_is_said),
        cmocka_unit_test(friction_through_a_group_equals_bilateral_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
