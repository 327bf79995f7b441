/* Nodal rods in motion: momentum, energies and their budget, imposed motion, length, state, memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/rotation_vector.h"
#include "rod/nodal_lengths.h"
#include "tests/nodal_fixture.h"

static const cst_fiber_model models[] = {CST_FIBER_DISCRETE_ROD, CST_FIBER_SPRINGS, CST_FIBER_CORDE};
static const char *const names[] = {"discrete rod", "chain", "CORDE"};

enum { MODELS = 3 };

/* Bent at first, straight by nature, thrown and turning. */
static cst_fiber_def thrown(cst_fiber_model model, int elements, double *curvature)
{
    cst_fiber_def def = fiber_definition(model, elements);
    for (int i = 0; i < elements; ++i) {
        curvature[3 * i] = model == CST_FIBER_SPRINGS ? 0.0 : 1.0;
        curvature[3 * i + 1] = 1.0;
        curvature[3 * i + 2] = 2.0;
    }
    def.curvature = curvature;
    const double velocity[3] = {0.3, -0.2, 1.0}, turn[3] = {1.0, 2.0, -0.5};
    memcpy(def.velocity, velocity, sizeof velocity);
    memcpy(def.angular_velocity, turn, sizeof turn);
    return def;
}

static void momentum_is_kept_in_free_flight(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        for (int scheme = 0; scheme < 2; ++scheme) {
            double curvature[60], p0[3], L0[3], p1[3], L1[3], lost = 0.0, spin = 0.0;
            const cst_fiber_def def = thrown(models[m], 20, curvature);
            cst_body_model body = fiber_create(&def);
            cst_step_frame frame = space_frame(1e-3, scheme == 0 ? 1.0 : 0.5, 0.0);
            fiber_momentum(nodal_of(&body), p0, L0);
            for (int step = 0; step < 300; ++step)
                rod_step(&body, &frame, scheme == 0 ? 1 : 4, NULL);
            fiber_momentum(nodal_of(&body), p1, L1);
            for (int k = 0; k < 3; ++k) {
                lost = fmax(lost, fabs(p1[k] - p0[k]));
                spin = fmax(spin, fabs(L1[k] - L0[k]));
            }
            print_message("%s, theta %g: momentum off by %.2g of %.2g, angular by %.2g of %.2g\n", body.class->name, frame.theta,
                          lost, sqrt(cst_dot3(p0, p0)), spin, sqrt(cst_dot3(L0, L0)));
            assert_true(lost < 1e-10 * sqrt(cst_dot3(p0, p0))); /* rounding, times the stiffness of the stretch over the mass */
            assert_true(spin < (scheme == 0 ? 2e-2 : 1e-4) * sqrt(cst_dot3(L0, L0)));
            rod_destroy(&body);
        }
    }
}

/* A straight rod that turns about its middle, theta = 1, 1 ms: it keeps its energy, never gains any, and its budget closes. */
static void a_spin_keeps_its_energy(void **state)
{
    (void)state;
    static const double rates[] = {5.0, 20.0, 60.0};
    for (int m = 0; m < MODELS; ++m) {
        for (size_t r = 0; r < sizeof rates / sizeof *rates; ++r) {
            cst_fiber_def def = fiber_definition(models[m], 12);
            const double turn[3] = {0.0, 0.6 * rates[r], 0.8 * rates[r]}, arm[3] = {-0.5 * def.length, 0.0, 0.0};
            def.stretching_stiffness = 1e4;
            memcpy(def.angular_velocity, turn, sizeof turn);
            cst_cross3(turn, arm, def.velocity);
            cst_body_model body = fiber_create(&def);
            cst_step_frame frame = space_frame(1e-3, 1.0, 0.0);
            const double start = fiber_energy(&body, &frame);
            double highest = start, scheme = 0.0;
            for (int step = 0; step < 1000; ++step) {
                cst_body_work work;
                rod_step(&body, &frame, 1, NULL);
                body.class->dynamics->work(body.self, &work);
                scheme += work.scheme + work.viscosity;
                highest = fmax(highest, fiber_energy(&body, &frame));
            }
            const double end = fiber_energy(&body, &frame);
            print_message("%s at %g rad/s: energy x %.6f after 1 s, unexplained %.1e of it\n", body.class->name, rates[r],
                          end / start, (end - start - scheme) / start);
            assert_true(end > 0.99 * start && highest < (1.0 + 1e-9) * start);
            rod_destroy(&body);
        }
    }
}

/* Largest change of the energy of a clamped swing under gravity, theta = 1/2, relative to what it converts. */
static double drift(cst_fiber_model model, double dt, int iterations)
{
    cst_fiber_def def = fiber_definition(model, 16);
    def.clamped = true;
    def.stretching_stiffness = 50.0; /* soft enough that the step resolves it */
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(dt, 0.5, 2.0);
    const double start = fiber_energy(&body, &frame);
    double worst = 0.0, moving = 0.0;
    while (frame.time < 0.5 - 0.5 * dt) {
        cst_body_energy energy;
        rod_step(&body, &frame, iterations, NULL);
        body.class->dynamics->energy(body.self, frame.gravity, &energy);
        worst = fmax(worst, fabs(energy.kinetic + energy.elastic + energy.gravity - start));
        moving = fmax(moving, energy.kinetic);
    }
    rod_destroy(&body);
    return worst / moving;
}

static void energy_is_kept_to_second_order(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        const double coarse = drift(models[m], 2e-3, 8), fine = drift(models[m], 1e-3, 8);
        print_message("%s: energy off by %.2e, %.2e of the largest kinetic energy with 2, 1 ms\n", names[m], coarse, fine);
        assert_true(fine < 5e-3);
        assert_true(log2(coarse / fine) > 1.6);
    }
}

/* Keys of a clamp that rises and turns about all axes. */
static const cst_key keys[3] = {{.time = 0.0},
                                {.time = 0.15, .translation = {0.1, 0.05, 0.2}, .rotation = {1.5, -0.4, 0.6}},
                                {.time = 0.4, .translation = {0.0, 0.1, 0.1}, .rotation = {4.0, 0.3, -0.2}}};

/* What the budget of a step leaves, summed: energy at the end less energy at the start less works. */
static double unexplained(cst_fiber_model model, double dt, double theta, int iterations, double *scale)
{
    cst_fiber_def def = fiber_definition(model, 16);
    def.clamped = true;
    def.root_motion = (cst_motion){.key = keys, .keys = 3, .smooth = true};
    def.viscosity = 5e-3;
    def.drag = 5e-3;
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(dt, theta, 9.81);
    const double start = fiber_energy(&body, &frame);
    double works = 0.0, constraint = 0.0;
    while (frame.time < 0.4 - 0.5 * dt) {
        cst_body_work work;
        rod_step(&body, &frame, iterations, NULL);
        body.class->dynamics->work(body.self, &work);
        works += work.constraint + work.viscosity + work.drag + work.scheme;
        constraint += fabs(work.constraint);
        assert_true(work.viscosity <= 0.0 && work.drag <= 0.0 && (theta < 1.0 || work.scheme <= 0.0));
    }
    const double left = fiber_energy(&body, &frame) - start - works;
    *scale = constraint;
    rod_destroy(&body);
    return fabs(left);
}

static void budget_closes_with_a_moved_clamp(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        const struct {
            double theta;
            int iterations;
            double share; /* of what the clamp gave, with 1 ms */
        } scheme[3] = {{1.0, 1, 2e-3}, {1.0, 4, 2e-3}, {0.5, 4, 2e-4}};
        for (int i = 0; i < 3; ++i) {
            double scale[2], left[2];
            for (int k = 0; k < 2; ++k)
                left[k] = unexplained(models[m], 1e-3 / (1 << k), scheme[i].theta, scheme[i].iterations, scale + k);
            print_message("%s, theta %g, %d iterations: %.2e, %.2e J unexplained of %.2g J that the clamp gave, 1 and 0.5 ms\n",
                          names[m], scheme[i].theta, scheme[i].iterations, left[0], left[1], scale[0]);
            assert_true(left[0] < scheme[i].share * scale[0]);
            assert_true(left[1] < 0.7 * left[0] || left[1] < 1e-10 * scale[1]);
        }
    }
}

/* The clamp turns its edge about the rod by four turns: the end follows, and the count is kept. */
static void twist_of_many_turns_is_counted(void **state)
{
    (void)state;
    const double turns = 8.0 * acos(-1.0);
    const cst_key turning[2] = {{.time = 0.0}, {.time = 2.0, .rotation = {turns, 0.0, 0.0}}};
    cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, 10);
    def.clamped = true;
    def.viscosity = 0.05;
    def.root_motion = (cst_motion){.key = turning, .keys = 2};
    cst_body_model body = fiber_create(&def);
    cst_nodal_rod *rod = nodal_of(&body);
    cst_step_frame frame = space_frame(0.01, 1.0, 0.0);
    double x[3];
    for (int step = 0; step < 400; ++step)
        rod_step(&body, &frame, 1, NULL);
    assert_true(fabs(rod->now.q[3] - turns) < 1e-9);
    assert_true(fabs(rod->now.q[cst_nodal_edge(rod, 9)] - turns) < 1e-3);
    fiber_tip(&body, x);
    assert_true(fabs(x[0] - 1.0) < 1e-9 && fabs(x[1]) < 1e-9 && fabs(x[2]) < 1e-9);
    rod_destroy(&body);
}

static void clamp_follows_its_keys(void **state)
{
    (void)state;
    cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, 8);
    def.clamped = true;
    def.natural_curvature[2] = 2.0;
    def.root_motion = (cst_motion){.key = keys, .keys = 3};
    cst_body_model body = fiber_create(&def);
    const cst_material_point root = {.feature = 0, .s = 0.0};
    cst_step_frame frame = space_frame(0.01, 1.0, 9.81);
    double first[3], x[3], R[9], start[9];
    body.class->places->position(body.self, &root, first);
    nodal_of(&body)->model->frame(nodal_of(&body), &nodal_of(&body)->now, 0, start);
    for (int step = 0; step < 40; ++step)
        rod_step(&body, &frame, 1, NULL);
    body.class->places->position(body.self, &root, x);
    nodal_of(&body)->model->frame(nodal_of(&body), &nodal_of(&body)->now, 0, R);
    /* The middle of the edge is beside the clamp by the height of its arc, l^2 k / 8, and that turns along. */
    const double *end = keys[2].translation, beside = sqrt(cst_dot3(first, first));
    double off = 0.0;
    for (int k = 0; k < 3; ++k)
        off += (x[k] - end[k]) * (x[k] - end[k]);
    assert_true(fabs(sqrt(off) - beside) < 1e-12);
    assert_true(beside > 1e-3);
    double about[9], expected[9];
    cst_rotation_vector_exp(keys[2].rotation, about);
    cst_product3(about, start, expected);
    assert_close(R, expected, 9, 1e-12, 1.0, "frame of the clamped edge");
    rod_destroy(&body);
}

static void length_is_kept_by_default(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        cst_fiber_def def = fiber_definition(models[m], 30);
        def.clamped = true;
        def.bending_stiffness[0] = def.bending_stiffness[1] = 1e-5; /* Gamma = 1e4: a rope */
        cst_body_model body = fiber_create(&def);
        cst_step_frame frame = space_frame(1e-3, 1.0, 9.81);
        double worst = 0.0;
        for (int step = 0; step < 1000; ++step) {
            rod_step(&body, &frame, 1, NULL);
            worst = fmax(worst, cst_nodal_length_error(nodal_of(&body), &nodal_of(&body)->now));
        }
        print_message("%s, a rope that falls and swings: lengths off by %.2e at most\n", body.class->name, worst);
        assert_true(worst < 1e-4);
        rod_destroy(&body);
    }
}

static void states_go_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int m = 0; m < MODELS; ++m) {
        double curvature[60];
        const cst_fiber_def def = thrown(models[m], 20, curvature);
        cst_body_model a = fiber_create(&def), b = fiber_create(&def);
        const int size = a.class->state->size(a.self);
        double *from = test_malloc((size_t)size * sizeof *from), *to = test_malloc((size_t)size * sizeof *to);
        cst_step_frame frame = space_frame(2e-3, 1.0, 9.81);
        for (int step = 0; step < 20; ++step)
            rod_step(&a, &frame, 2, NULL);
        a.class->state->save(a.self, from);
        b.class->state->load(b.self, from);
        cst_step_frame again = frame;
        for (int step = 0; step < 20; ++step) {
            rod_step(&a, &frame, 2, NULL);
            rod_step(&b, &again, 2, NULL);
        }
        a.class->state->save(a.self, from);
        b.class->state->save(b.self, to);
        assert_memory_equal(from, to, (size_t)size * sizeof *from);
        test_free(from);
        test_free(to);
        rod_destroy(&a);
        rod_destroy(&b);
    }
}

static void placed_where_finish_leads(void **state)
{
    (void)state;
    double curvature[60], x[3], y[3], v[4 * 20 + 3];
    const cst_fiber_def def = thrown(CST_FIBER_DISCRETE_ROD, 20, curvature);
    cst_body_model body = fiber_create(&def);
    cst_step_frame frame = space_frame(5e-3, 0.7, 9.81);
    char message[256] = "";
    assert_true(body.class->dynamics->place(body.self, &frame, NULL));
    assert_true(body.class->dynamics->assemble(body.self, &frame, NULL, message, sizeof message));
    memcpy(v, body.class->dynamics->rhs(body.self), sizeof v);
    assert_true(body.class->dynamics->solve(body.self, v));
    assert_true(body.class->dynamics->place(body.self, &frame, v));
    body.class->surface->curve(body.self, 13, 0.01, x, NULL);
    body.class->dynamics->finish(body.self, &frame, v);
    body.class->surface->curve(body.self, 13, 0.01, y, NULL);
    assert_memory_equal(x, y, sizeof x);
    const double away = body.class->dynamics->motion(body.self, &frame, v);
    assert_true(away > 0.0);
    rod_destroy(&body);
}

/* Memory that counts what is taken. */
static void *count_acquire(void *user, size_t bytes)
{
    ++*(int *)user;
    return malloc(bytes);
}

static void count_release(void *user, void *memory, size_t bytes)
{
    (void)user;
    (void)bytes;
    free(memory);
}

static void steps_take_no_memory(void **state)
{
    (void)state;
    int taken = 0;
    const cst_allocator allocator = {count_acquire, count_release, &taken};
    const cst_fiber_def def = fiber_definition(CST_FIBER_DISCRETE_ROD, 12);
    cst_body_model body;
    char message[256] = "";
    assert_true(cst_discrete_rod_create(&def, &allocator, &body, message, sizeof message));
    const int before = taken;
    assert_true(before > 0);
    cst_step_frame frame = space_frame(1e-3, 1.0, 9.81);
    for (int step = 0; step < 5; ++step) {
        rod_step(&body, &frame, 2, NULL);
        cst_nodal_restore_lengths(nodal_of(&body), frame.dt, 1e-12, 5);
    }
    assert_int_equal(taken, before);
    rod_destroy(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept_in_free_flight), cmocka_unit_test(a_spin_keeps_its_energy),
        cmocka_unit_test(energy_is_kept_to_second_order),  cmocka_unit_test(budget_closes_with_a_moved_clamp),
        cmocka_unit_test(twist_of_many_turns_is_counted),  cmocka_unit_test(clamp_follows_its_keys),
        cmocka_unit_test(length_is_kept_by_default),       cmocka_unit_test(states_go_on_with_the_same_bits),
        cmocka_unit_test(placed_where_finish_leads),       cmocka_unit_test(steps_take_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
